import { z } from 'zod';

/** The part of `config.ts` for alarms about open payments. */

const maxCurrencies = 64;
const seconds = z.coerce
  .number()
  .int()
  .min(1)
  .max(366 * 86_400);

const sums = z.string().transform((text, context): ReadonlyMap<string, string> => {
  const limits = new Map<string, string>();
  for (const each of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [, currency, amount] =
      /^([A-Z0-9]{3,10})=((?:0|[1-9][0-9]{0,10})(?:[.][0-9]{1,8})?)$/.exec(each) ?? [];
    if (currency === undefined || amount === undefined || limits.has(currency))
      context.addIssue(`not a currency and its amount, such as EUR=10000: ${each}`);
    else limits.set(currency, amount);
  }
  if (limits.size > maxCurrencies) context.addIssue(`more than ${maxCurrencies} currencies`);
  return limits;
});

export const paymentEnvironment = {
  POTSTREAM_PAYMENT_ALARM_SECONDS: seconds
    .default(900)
    .describe('age of an open debit, credit or delivery that raises an alarm, while the service works on it'),
  POTSTREAM_PAYMENT_WAIT_ALARM_SECONDS: seconds
    .default(86_400)
    .describe('age of an open debit, credit or delivery that raises an alarm, while it waits for a person'),
  POTSTREAM_DELIVERIES_ALARM: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .default(10_000)
    .describe("an operator's callbacks and flushes without delivery that raise an alarm"),
  POTSTREAM_PAYMENT_SUM_ALARM: sums
    .prefault('')
    .describe(
      'sums of open debits and credits, and of flushes, that raise an alarm, such as EUR=10000; empty: none',
    ),
};

type PaymentValues = z.output<z.ZodObject<typeof paymentEnvironment>>;

/** The parsed variables of `paymentEnvironment`, where each is described. */
export type PaymentSettings = {
  readonly paymentAlarmMs: number;
  readonly paymentWaitAlarmMs: number;
  readonly deliveriesAlarm: number;
  /** Amounts in units, by currency. */
  readonly paymentSumAlarm: ReadonlyMap<string, string>;
};

export function readPaymentSettings(values: PaymentValues): PaymentSettings {
  return {
    paymentAlarmMs: values.POTSTREAM_PAYMENT_ALARM_SECONDS * 1000,
    paymentWaitAlarmMs: values.POTSTREAM_PAYMENT_WAIT_ALARM_SECONDS * 1000,
    deliveriesAlarm: values.POTSTREAM_DELIVERIES_ALARM,
    paymentSumAlarm: values.POTSTREAM_PAYMENT_SUM_ALARM,
  };
}

export function environmentOfPayments(settings: PaymentSettings): Record<string, string> {
  const sums = [...settings.paymentSumAlarm].map(([currency, amount]) => `${currency}=${amount}`);
  return {
    POTSTREAM_PAYMENT_ALARM_SECONDS: String(settings.paymentAlarmMs / 1000),
    POTSTREAM_PAYMENT_WAIT_ALARM_SECONDS: String(settings.paymentWaitAlarmMs / 1000),
    POTSTREAM_DELIVERIES_ALARM: String(settings.deliveriesAlarm),
    POTSTREAM_PAYMENT_SUM_ALARM: sums.join(','),
  };
}
