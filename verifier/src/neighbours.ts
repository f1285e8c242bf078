import { canonical } from './canonical.ts';
import { expectSame, expectThat } from './disagreement.ts';
import type { Header } from './header.ts';
import { checkBeacon } from './opening.ts';
import type { Members } from './shape.ts';

/** The end of an epoch is in the header of the next one, word for word. */
const shared = ['accounts', 'accumulated_seed_deficit', 'pots', 'config_hash'] as const;

/** The end of an epoch as its file says it; all of it was verified. */
export interface Ending {
  readonly epoch: number;
  /** Of its draws. */
  readonly rules: Header['rules'];
  readonly head: string;
  readonly nextSequence: number;
  readonly closing: Members;
  /** The rules of the epoch; null where its file is not at hand. */
  readonly config: Members | null;
}

/** Of an epoch's first page, which nobody has verified; null where it is not revealed. */
export function endingOf(epoch: number, json: Members | null): Ending | null {
  const closing = json?.closing as Members | undefined;
  if (typeof closing?.head !== 'string') return null;
  return {
    epoch,
    rules: (json?.header as Members | undefined)?.rules === undefined ? 1 : 2,
    head: closing.head,
    nextSequence: Number(closing.next_seq),
    closing,
    config: configOf(json),
  };
}

function configOf(json: Members | null): Members | null {
  return ((json?.header as Members | undefined)?.config as Members | undefined) ?? null;
}

/** `header` continues what `ending` ends with. */
export function checkContinues(ending: Ending, header: Members): void {
  const same = (what: string, found: unknown, wanted: string | number) =>
    expectSame('neighbours', what, found as string | number, wanted);
  same('the next epoch', header.epoch, ending.epoch + 1);
  same('prev_head of the next epoch', header.prev_head, ending.head);
  same('first_seq of the next epoch', header.first_seq, ending.nextSequence);
  for (const name of shared)
    same(`${name} of the next epoch`, textOf(header[name]), textOf(ending.closing[name]));
  // Behind the first rules nobody has noted a resume yet.
  same('resumed of the next epoch', textOf(header.resumed ?? null), textOf(ending.closing.resumed ?? null));
  expectThat(
    'neighbours',
    ending.rules === 1 || header.rules === 2,
    'the next epoch goes back to older rules',
  );
  if (ending.config !== null) checkBeacon(header.beacon !== '', ending.config);
}

/** Knowledge about the epoch before: all of it if it was verified, else its last head or its `closing`. */
export interface Before {
  readonly ending: Ending | null;
  readonly head: string | null;
}

/** Compares the epoch with the one before it; returns the checks made, null without anything to compare. */
export function checkBefore(header: Header, { ending, head }: Before): string | null {
  if (header.epoch === 0) return 'it is the first epoch';
  if (ending !== null && ending.epoch + 1 === header.epoch) checkContinues(ending, header.json);
  else if (head !== null) expectSame('neighbours', 'prev_head', header.json.prev_head as string, head);
  else return null;
  return 'the epoch before ends where this one begins';
}

function textOf(value: unknown): string {
  return value === undefined ? '' : canonical(value);
}
