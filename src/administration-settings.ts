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
};

type AdministrationValues = z.output<z.ZodObject<typeof administrationEnvironment>>;

/** The parsed variables of `administrationEnvironment`, where each is described. */
export type AdministrationSettings = {
  readonly failedLoginsPerMinute: number;
  readonly administratorWritesPerSecond: number;
  readonly approvalLifetimeMs: number;
};

export function readAdministrationSettings(values: AdministrationValues): AdministrationSettings {
  return {
    failedLoginsPerMinute: values.POTSTREAM_FAILED_LOGINS_PER_MINUTE,
    administratorWritesPerSecond: values.POTSTREAM_ADMINISTRATOR_WRITES_PER_SECOND,
    approvalLifetimeMs: values.POTSTREAM_APPROVAL_SECONDS * 1000,
  };
}

export function environmentOfAdministration(settings: AdministrationSettings): Record<string, string> {
  return {
    POTSTREAM_FAILED_LOGINS_PER_MINUTE: String(settings.failedLoginsPerMinute),
    POTSTREAM_ADMINISTRATOR_WRITES_PER_SECOND: String(settings.administratorWritesPerSecond),
    POTSTREAM_APPROVAL_SECONDS: String(settings.approvalLifetimeMs / 1000),
  };
}
