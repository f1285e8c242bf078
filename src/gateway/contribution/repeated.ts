import type { Contribute } from '../../contracts/log/commands.ts';
import { PublicError } from '../errors.ts';
import type { GatewayContext, Reply } from '../operation.ts';
import { acceptedHeaders, contributionHeaders } from './reply.ts';

/**
 * The answer to a repeated idempotency key (document 1, O8 rule 2): 204 with the first answer's headers, rebuilt from
 * the log, so that it does not matter whether the first answer ever reached anybody.
 */
export async function repeatedReply(
  context: Pick<GatewayContext, 'lanes' | 'directory'>,
  lane: number,
  sequence: number,
  index: number,
  repeat: Fingerprint,
): Promise<Reply> {
  const first = await context.lanes.readBack(lane, sequence, index);
  const { command, outcome } = first;
  if (command.kind !== 'Contribute') throw new Error('An idempotency key points at what is no contribution.');
  if (!isSameRequest(command, repeat)) throw new PublicError('idempotency_key_reused');
  if (command.callback !== null) return { status: 204, headers: acceptedHeaders(command, first.timestampMs) };
  if (outcome.kind !== 'Contributed') throw new Error('An idempotency key points at what was not applied.');
  const main = outcome.results[0];
  if (main === undefined) throw new Error('A contribution has no result.');
  return { status: 204, headers: contributionHeaders(main, command, first.timestampMs, context.directory) };
}

/** The fingerprint of runtime.md, "Idempotency": not token, metadata, callback. */
export type Fingerprint = Pick<
  Contribute,
  'target' | 'brand' | 'player' | 'baseWagerAtoms' | 'currency' | 'gameround'
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
