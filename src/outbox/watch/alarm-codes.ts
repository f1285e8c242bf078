/** Alarms about deliveries: the closed list of codes in `potstream_outbox_alarms_total`. */
export const deliveryAlarms = [
  /** Deliveries are tried without success for long. */
  'deliveries_old',
  /** Dead deliveries wait for a person for long. */
  'deliveries_wait',
  /** An operator has too many events that are not delivered. */
  'deliveries_many',
  /** The sum of flushes without an end is above the limit of a setting. */
  'flushes_sum_high',
  /** Callbacks that cannot be delivered any more: the log has lost their content. */
  'deliveries_lost',
  /** A lane's deliveries wait for a newer release, which can read its next record (docs/decisions/0304). */
  'deliveries_unsupported',
] as const;
export type DeliveryAlarm = (typeof deliveryAlarms)[number];
