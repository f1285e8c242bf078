import { toHex } from '../../lib/bytes.ts';
import { recordHead } from '../../messages/codec/record-head.ts';
import { isUnreadable, type Log, type StreamExtent } from '../../ports.ts';
import type { Witness, WitnessedHead } from '../ports/witness.ts';
import { type MayLack, mayHaveLeft } from './stream-check.ts';

const headsCompared = 8;

type WitnessCode = 'log_behind_witness' | 'witness_mismatch';

/** The log is another one than this host has seen, or not all of it. The lane must not continue. */
export class WitnessMismatch extends Error {
  readonly code: WitnessCode;
  readonly retryable = false;
  constructor(code: WitnessCode, message: string) {
    super(message);
    this.code = code;
  }
}

const waysOut = (lane: number): string =>
  `Restore the newest copy of the log (docs/operate.md "Backups"). Only if everything newer is lost for good: ` +
  `potstream witness accept ${lane} --reason "…", then restart the actors.`;

/** What a log that ends at `last` has lost by this witness; null: nothing. */
export function behindWitness(
  lane: number,
  last: number,
  heads: readonly WitnessedHead[],
): WitnessMismatch | null {
  const newest = heads.at(-1);
  if (newest === undefined || newest.sequence <= last) return null;
  return new WitnessMismatch(
    'log_behind_witness',
    `The log of lane ${lane} ends at ${last}, but this host saw it at ${newest.sequence} (${new Date(newest.atMs).toISOString()}): ` +
      `its last messages are gone, or an older copy was restored. ${waysOut(lane)}`,
  );
}

/**
 * Compares the newest seen heads with those in OUT.
 * @throws WitnessMismatch if one differs, or if the log is another system's and nothing can be compared;
 * LogError on outages
 */
export async function requireWitnessed(
  log: Pick<Log, 'readOutcome'>,
  lane: number,
  storedOutcome: number,
  witness: Pick<Witness, 'heads' | 'system'>,
): Promise<void> {
  const heads = witness.heads(lane).filter(({ sequence }) => sequence <= storedOutcome);
  let isProven = false;
  for (const { sequence, head, atMs } of heads.slice(-headsCompared)) {
    const stored = await storedHead(log, lane, sequence);
    if (stored === null) continue;
    if (stored !== head) {
      throw new WitnessMismatch(
        'witness_mismatch',
        `The log of lane ${lane} holds another message ${sequence} than this host saw at ${new Date(atMs).toISOString()}: it is ` +
          `another history. ${waysOut(lane)}`,
      );
    }
    isProven = true;
  }
  const newest = witness.heads(lane).at(-1);
  if (isProven || newest === undefined || newest.system === witness.system) return;
  throw new WitnessMismatch(
    'witness_mismatch',
    `This host saw lane ${lane} in another system (${newest.system}) than this one (${witness.system}). ${waysOut(lane)}`,
  );
}

/**
 * The lost beginning of CMD, whose messages, by the witness, were too young to expire and are not in the
 * archive; null: nothing is lost.
 */
export function lostSinceWitness(
  commands: StreamExtent,
  heads: readonly WitnessedHead[],
  nowMs: number,
  { maxAgeMs, archivedTo = 0 }: MayLack,
): string | null {
  const { firstSequence, stream } = commands;
  if (firstSequence - 1 <= archivedTo) return null;
  // What was stored after this head was stored after its time.
  const younger = heads.findLast(({ sequence }) => sequence < firstSequence - 1);
  if (younger === undefined) return null;
  if (mayHaveLeft(commands, younger.atMs, nowMs, maxAgeMs)) return null;
  return `${stream} begins at ${firstSequence}, but messages behind ${younger.sequence} are not as old as those that leave it.`;
}

async function storedHead(
  log: Pick<Log, 'readOutcome'>,
  lane: number,
  sequence: number,
): Promise<string | null> {
  try {
    const stored = await log.readOutcome(lane, sequence);
    const head = stored === null ? null : recordHead(stored.bytes);
    return head === null ? null : toHex(head.laneHead);
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}
