const unknownBatch = /^batch of (\d+): /;

/** The reason in reports of a batch with an unknown result. Its size tells whether all are still there. */
export function reasonOfBatch(reason: string, records: number): string {
  return `batch of ${records}: ${reason}`;
}

/** The size of the batch whose result is unknown; null: the reason is a single record's. */
export function batchSizeIn(reason: string): number | null {
  const found = unknownBatch.exec(reason);
  return found === null ? null : Number(found[1]);
}
