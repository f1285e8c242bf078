import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';
import type { TestLane } from './lane.ts';

/** One entry of a draw record (docs/rules/draws.md "Records"). */
export interface Entry {
  readonly pot: number;
  readonly trigger: number;
  readonly v0: bigint;
  readonly v1: bigint;
  readonly num: bigint;
  readonly den: bigint;
  readonly u: bigint;
  readonly flags: number;
}

export const hitFlag = 1;
export const voidFlag = 2;
export const blockedFlagBit = 4;

// biome-ignore lint/suspicious/noExplicitAny: details are the JSON of public records.
type Detail = any;

/** Collects what a lane records from now on. */
export class Records {
  readonly entries: Entry[] = [];
  readonly details: Detail[] = [];

  constructor(lane: TestLane) {
    lane.recorder = {
      group: (group) => {
        this.entries.push(...entriesOf(group));
        this.details.push(...group.details);
      },
    };
  }

  get last(): Entry {
    return this.entries[this.entries.length - 1]!;
  }
}

function entriesOf(group: DrawGroup): Entry[] {
  const bytes = Buffer.from(group.bytes);
  const entries: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const count = bytes[at + 28]!;
    at += 29;
    for (let i = 0; i < count; i++, at += 43) {
      const word = (offset: number) => bytes.readBigUInt64BE(at + offset);
      entries.push({
        pot: bytes[at]!,
        trigger: bytes[at + 1]!,
        v0: word(2),
        v1: word(10),
        num: word(18),
        den: word(26),
        u: word(34),
        flags: bytes[at + 42]!,
      });
    }
  }
  return entries;
}
