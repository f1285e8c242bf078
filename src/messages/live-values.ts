import type { LiveValues } from './records.ts';

/** Takes the live values of instances part by part. Amounts come as in lib/wide: high · 2^32 + low. */
export interface LiveValuesSink {
  /** An instance; its pots follow. */
  instance(values: Omit<LiveValues, 'pots'>, pots: number): void;
  /**
   * Its next pot; its amounts follow: current and, with meters, the other six in the order of `PotMeters`.
   */
  pot(id: string, instanceCount: number, enabled: boolean, totalContributions: number | null): void;
  amount(high: number, low: number): void;
}

/** What every reader needs of live values; the others are read on demand. */
export interface LiveValuesNews {
  readonly instance: string;
  readonly sequence: number;
  readonly status: string;
  readonly lastUpdatedMs: number;
  values(): LiveValues;
}
