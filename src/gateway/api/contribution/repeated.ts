import { equalBytes } from '../../../lib/bytes.ts';
import { sha256 } from '../../../lib/hashes.ts';
import type { LoggedCommand } from '../../../messages/commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { PublicError } from '../../base/errors.ts';
import { lookUpIdempotencyKey } from '../../lanes/idempotency-lookup.ts';
import type { LogPosition } from '../../lanes/lane-client.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { readMoney } from './draft.ts';
import type { AnswerForm } from './reply.ts';
import type { ContributionRequest } from './request.ts';

/** Where the first contribution of a key, or its settlement, is in the log. */
interface FirstPosition extends LogPosition {
  readonly lane: number;
}

/** How a repeat is answered. */
export interface WantedAnswer<Answer> {
  readonly form: AnswerForm<Answer>;
  readonly metadata: string | null;
}

/** The answer to a repeated idempotency key (docs/rules/http.md "Idempotency"), rebuilt from the log. */
export async function repeatedAnswer<Answer>(
  context: Pick<GatewayContext, 'lanes' | 'directory'>,
  position: FirstPosition,
  repeat: Fingerprint,
  { form, metadata }: WantedAnswer<Answer>,
): Promise<Answer> {
  const first = await firstOf(context, position.lane, position, repeat);
  const { command, outcome } = first;
  if (!isSameRequest(command, repeat)) throw new PublicError('idempotency_key_reused');
  if (command.callback !== null) return form.accepted(command, first.storedMs, true);
  if (outcome.kind === 'Pending') throw new PublicError('idempotency_in_progress');
  if (outcome.kind !== 'Contributed') throw new Error('An idempotency key points at what was not applied.');
  const applied = { results: outcome.results, command, timestampMs: first.answeredMs, metadata };
  return form.repeated(applied, context.directory);
}

interface First {
  readonly command: Contribute;
  readonly outcome: CommandOutcome;
  /** The lane's time of the contribution, and of its outcome: later where the player had to pay first. */
  readonly storedMs: number;
  readonly answeredMs: number;
}

/** The key of a contribution that waited for a debit points at the settlement, which names its place. */
async function firstOf(
  { lanes }: Pick<GatewayContext, 'lanes'>,
  lane: number,
  { sequence, index }: LogPosition,
  { idempotencyKey: key, brand }: Fingerprint,
): Promise<First> {
  const found = await lanes.readBack(lane, sequence, index);
  const { outcome, command, timestampMs } = found;
  if (outcome.kind !== 'Settled') return firstFrom(command, outcome, timestampMs, timestampMs);
  const isSame = (each: { readonly idempotencyKey: Uint8Array | null }) =>
    each.idempotencyKey !== null && key !== null && equalBytes(each.idempotencyKey, key);
  const firsts = await Promise.all(
    outcome.contributions.filter(isSame).map(async (settled) => {
      const asked = await lanes.readBack(lane, settled.sequence, settled.index);
      return firstFrom(asked.command, settled.result, asked.timestampMs, timestampMs);
    }),
  );
  // Brands may have the same key.
  const first = firsts.find((each) => each.command.brand === brand) ?? firsts[0];
  if (first === undefined) throw new Error('A key points at a settlement of other contributions.');
  return first;
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
type Fingerprint = Pick<
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

interface AskedBefore {
  readonly request: ContributionRequest;
  readonly operator: string;
  /** Brand path. */
  readonly brand: string;
  readonly lane: number;
}

/** The answer to a request whose key the lane knows; null: it is no repeat. Nothing is published for it. */
export async function repeatedBefore<Answer>(
  { request, operator, brand, lane }: AskedBefore,
  context: GatewayContext,
  wanted: WantedAnswer<Answer>,
): Promise<Answer | null> {
  if (request.idempotencyKey === null) return null;
  const money = readMoney(request);
  // The first one was accepted, so this is not its repeat.
  if (!money.ok) return null;
  const key = idempotencyHash(operator, request.idempotencyKey);
  const position = await lookUpIdempotencyKey(context, lane, key, brand);
  if (position === null) return null;
  const repeat = {
    target: request.target,
    brand,
    player: request.player,
    baseWagerAtoms: money.baseWagerAtoms,
    currency: request.currency,
    gameround: request.gameround ?? '',
    idempotencyKey: key,
  };
  return repeatedAnswer(context, { lane, ...position }, repeat, wanted);
}

/** A contribution's key in the log: the first 16 bytes of SHA-256(operator ‖ 0x00 ‖ key). */
export function idempotencyHash(operator: string, key: string): Uint8Array {
  return sha256(`${operator}\0${key}`, 16);
}
