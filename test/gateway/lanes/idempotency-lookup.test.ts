import { expect, it } from 'vitest';
import { formInLane } from '../../../src/gateway/lanes/idempotency-lookup.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../../src/messages/queries.ts';

const key = Uint8Array.of(1);
const former = Uint8Array.of(2);

/** A lane that knows these keys of administrators. */
function lanesWith(ofBrands: boolean, ...known: readonly Uint8Array[]) {
  const query = async (_: number, asked: LaneQuery): Promise<LaneQueryAnswer> => {
    const isKnown = asked.kind === 'idempotency_key' && known.includes(asked.key);
    return { kind: 'idempotency_key', position: isKnown ? { sequence: 1, index: 0 } : null, ofBrands };
  };
  return { lanes: { query } } as unknown as Parameters<typeof formInLane>[0];
}

it('a key of an administrator has its former form where the lane is older, or knows it', async () => {
  const formOf = (context: Parameters<typeof formInLane>[0]) => formInLane(context, 0, { key, former });
  expect(await formOf(lanesWith(false))).toBe(former);
  expect(await formOf(lanesWith(true))).toBe(key);
  expect(await formOf(lanesWith(true, former))).toBe(former);
  expect(await formOf(lanesWith(true, key))).toBe(key);
});
