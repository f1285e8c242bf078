import type { LaneCondition } from '../../messages/bus-messages.ts';
import type { CommandKind } from '../../messages/commands.ts';
import { PublicError } from '../base/errors.ts';
import { batchLimits } from './limits.ts';

/** Commands that stop or finish something pass a full lane. */
const acceptedWhenFull: ReadonlySet<CommandKind> = new Set([
  'SetStatus',
  'Unbind',
  'DebitSettled',
  'CreditSettled',
  'ReleaseCredit',
  'RetryCredit',
  'ResolveCredit',
  'FlushSettled',
]);

/**
 * Lanes whose owners report no room: commands that would fill their streams are refused before they are sent
 * (docs/decisions/0058).
 */
export class FullLanes {
  /** 1: full. */
  readonly #full: Uint8Array;

  constructor(lanes: number) {
    this.#full = new Uint8Array(lanes);
  }

  observe(lane: number, condition: LaneCondition): void {
    this.#full[lane] = condition === 'full' ? 1 : 0;
  }

  /** @throws PublicError storage_unavailable: it is certainly not stored. */
  check(lane: number, kind: CommandKind): void {
    if (this.#full[lane] === 0 || acceptedWhenFull.has(kind)) return;
    const retryAfterSeconds = batchLimits.fullRetryAfterSeconds;
    throw new PublicError('storage_unavailable', 'The log of this jackpot is full at the moment.', {
      retryAfterSeconds,
    });
  }
}
