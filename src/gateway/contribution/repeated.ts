import { equalBytes } from '../../lib/bytes.ts';
import type { LoggedCommand } from '../../messages/commands.ts';
import type { CommandOutcome } from '../../messages/outcomes.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import { PublicError } from '../errors.ts';
import type { LogPosition } from '../lane-client.ts';
import type { GatewayContext, Reply } from '../operation.ts';
import { acceptedHeaders, contributionHeaders } from './reply.ts';

/**
 * The answer to a repeated idempotency key (docs/rules/http.md "Idempotency"): 204 with the headers of the first
 * answer, rebuilt from the log, whether or not the first answer arrived.
 */
export async function repeatedReply(
  context: Pick<GatewayContext, 'lanes' | 'directory'>,
  lane: number,
  sequence: number,
  index: number,
  repeat: Fingerprint,
): Promise<Reply> {
  const first = await firstOf(context, lane, { sequence, index }, repeat);
  const { command, outcome } = first;
  if (!isSameRequest(command, repeat)) throw new PublicError('idempotency_key_reused');
  if (command.callback !== null) return { status: 204, headers: acceptedHeaders(command, first.storedMs) };
  if (outcome.kind === 'Pending') throw new PublicError('idempotency_in_progress');
  if (outcome.kind !== 'Contributed') throw new Error('An idempotency key points at what was not applied.');
  const main = outcome.results[0];
  if (main === undefined) throw new Error('A contribution has no result.');
  return { status: 204, headers: contributionHeaders(main, command, first.answeredMs, context.directory) };
}

interface First {
  readonly command: Contribute;
  readonly outcome: CommandOutcome;
  /** The lane's time of the contribution, and of its outcome: later where the player had to pay first. */
  readonly storedMs: number;
  readonly answeredMs: number;
}

/** Where the player had to pay first a key points at the settlement, which names the place of the contribution. */
async function firstOf(
  { lanes }: Pick<GatewayContext, 'lanes'>,
  lane: number,
  { sequence, index }: LogPosition,
  { idempotencyKey: key }: Fingerprint,
): Promise<First> {
  const found = await lanes.readBack(lane, sequence, index);
  const { outcome, command, timestampMs } = found;
  if (outcome.kind !== 'Settled') return firstFrom(command, outcome, timestampMs, timestampMs);
  const settled = outcome.contributions.find(
    (each) => each.idempotencyKey !== null && key !== null && equalBytes(each.idempotencyKey, key),
  );
  if (settled === undefined) throw new Error('A key points at a settlement of other contributions.');
  const asked = await lanes.readBack(lane, settled.sequence, settled.index);
  return firstFrom(asked.command, settled.result, asked.timestampMs, timestampMs);
}

function firstFrom(
  command: LoggedCommand,
  outcome: CommandOutcome,
  storedMs: number,
  answeredMs: number,
): First {
  if (command.kind !== 'Contribute') throw new Error('An idempotency key points at what is no contribution.');
  return { command, outcome, storedMs, answeredMs };
}

/** docs/rules/log.md "Idempotency keys": token, metadata and callback are no part of it. */
export type Fingerprint = Pick<
  Contribute,
  'target' | 'brand' | 'player' | 'baseWagerAtoms' | 'currency' | 'gameround' | 'idempotencyKey'
>;

function isSameRequest(first: Fingerprint, repeat: Fingerprint): boolean {
  return (
    first.target.type === repeat.target.type &&
    first.target.id === repeat.target.id &&
    first.brand === repeat.brand &&
    first.player === repeat.player &&
    first.baseWagerAtoms === repeat.baseWagerAtoms &&
    first.currency === repeat.currency &&
    first.gameround === repeat.gameround
  );
}
