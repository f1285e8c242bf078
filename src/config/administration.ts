import { z } from 'zod';

/** The part of `config.ts` for administrators and their accounts, and for commands that log in. */

export const administrationEnvironment = {
  POTSTREAM_FAILED_LOGINS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(10)
    .describe('max. failed log-ins per minute for one pair of user name and address, over all gateways'),
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
  POTSTREAM_SERVICE_URL: z
    .string()
    .default('')
    .describe('address of the gateway for send; empty: that of the system in POTSTREAM_DATA'),
  POTSTREAM_SERVICE_USERNAME: z
    .string()
    .default('')
    .describe("service user as whom send logs in; empty: the demo's of the system in POTSTREAM_DATA"),
  POTSTREAM_SERVICE_PASSWORD: z
    .string()
    .default('')
    .describe('password of that service user; empty: from the file, or asked on the terminal'),
  POTSTREAM_SERVICE_PASSWORD_FILE: z.string().default('').describe('file (mode 0600) with that password'),
};

type AdministrationValues = z.output<z.ZodObject<typeof administrationEnvironment>>;

/** The parsed variables of `administrationEnvironment`, where each is described. */
export type AdministrationSettings = {
  readonly failedLoginsPerMinute: number;
  readonly administratorWritesPerSecond: number;
  readonly approvalLifetimeMs: number;
  readonly administratorClient: ClientSettings;
  readonly serviceClient: ClientSettings;
};

/** How commands log in at a gateway. No child process gets it. */
export interface ClientSettings {
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
    serviceClient: {
      url: values.POTSTREAM_SERVICE_URL || null,
      username: values.POTSTREAM_SERVICE_USERNAME || null,
      password: values.POTSTREAM_SERVICE_PASSWORD || null,
      passwordFile: values.POTSTREAM_SERVICE_PASSWORD_FILE || null,
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
