import { z } from 'zod';

/** The part of `config.ts` for administrators and their accounts. */

export const administrationEnvironment = {
  POTSTREAM_FAILED_LOGINS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(10)
    .describe('max. failed log-ins per minute for one pair of user name and address'),
  POTSTREAM_ADMINISTRATOR_WRITES_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .default(200)
    .describe(
      'max. changes per second by one administrator at a gateway; a burst may have five times as many',
    ),
  POTSTREAM_APPROVAL_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(7 * 86_400)
    .default(86_400)
    .describe('time in which a second administrator can approve a proposed change'),
  POTSTREAM_ADMIN_URL: z
    .string()
    .default('')
    .describe(
      "address of the gateway for settlements and other administrators' commands; empty: that of the system in POTSTREAM_DATA",
    ),
  POTSTREAM_ADMIN_USERNAME: z
    .string()
    .default('')
    .describe(
      'administrator as whom these commands log in; empty: the first one of the system in POTSTREAM_DATA',
    ),
  POTSTREAM_ADMIN_PASSWORD: z
    .string()
    .default('')
    .describe('password of that administrator; empty: from the file, or asked on the terminal'),
  POTSTREAM_ADMIN_PASSWORD_FILE: z.string().default('').describe('file (mode 0600) with that password'),
};

type AdministrationValues = z.output<z.ZodObject<typeof administrationEnvironment>>;

/** The parsed variables of `administrationEnvironment`, where each is described. */
export type AdministrationSettings = {
  readonly failedLoginsPerMinute: number;
  readonly administratorWritesPerSecond: number;
  readonly approvalLifetimeMs: number;
  readonly administratorClient: AdministratorClientSettings;
};

/** How commands log in at a gateway. No child process gets it. */
export interface AdministratorClientSettings {
  readonly url: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly passwordFile: string | null;
}

export function readAdministrationSettings(values: AdministrationValues): AdministrationSettings {
  return {
    failedLoginsPerMinute: values.POTSTREAM_FAILED_LOGINS_PER_MINUTE,
    administratorWritesPerSecond: values.POTSTREAM_ADMINISTRATOR_WRITES_PER_SECOND,
    approvalLifetimeMs: values.POTSTREAM_APPROVAL_SECONDS * 1000,
    administratorClient: {
      url: values.POTSTREAM_ADMIN_URL || null,
      username: values.POTSTREAM_ADMIN_USERNAME || null,
      password: values.POTSTREAM_ADMIN_PASSWORD || null,
      passwordFile: values.POTSTREAM_ADMIN_PASSWORD_FILE || null,
    },
  };
}

/** Without the credentials of commands: a role logs in nowhere. */
export function environmentOfAdministration(settings: AdministrationSettings): Record<string, string> {
  return {
    POTSTREAM_FAILED_LOGINS_PER_MINUTE: String(settings.failedLoginsPerMinute),
    POTSTREAM_ADMINISTRATOR_WRITES_PER_SECOND: String(settings.administratorWritesPerSecond),
    POTSTREAM_APPROVAL_SECONDS: String(settings.approvalLifetimeMs / 1000),
  };
}
