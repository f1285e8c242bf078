import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { OptInStatusRecord } from '../../../messages/records.ts';
import type { Clock } from '../../../ports.ts';
import { PublicError } from '../../base/errors.ts';
import type { LaneClient } from '../../lanes/lane-client.ts';

/** How old a status may be that is shown: contributions through other gateways show after this time. */
export const statusCacheMs = 2_000;
/** Players whose statuses are held; the oldest goes first. */
const maxCachedPlayers = 50_000;

interface Cached {
  readonly status: Promise<OptInStatusRecord>;
  readonly untilMs: number;
}

/**
 * Players' opt-in statuses, asked of their lane. An answer counts for 2 s, or until the player opts in or
 * contributes through this gateway (docs/decisions/0003).
 */
export class OptInStatuses {
  readonly #lanes: Pick<LaneClient, 'query'>;
  readonly #clock: Clock;
  readonly #players = new Map<string, Map<string, Cached>>();

  constructor(lanes: Pick<LaneClient, 'query'>, clock: Clock) {
    this.#lanes = lanes;
    this.#clock = clock;
  }

  /** `brand` is a path. */
  of(known: KnownInstance, brand: string, player: string): Promise<OptInStatusRecord> {
    const { instance } = known.description;
    const key = keyOf(brand, player);
    const nowMs = this.#clock.elapsedMs();
    const cached = this.#players.get(key)?.get(instance);
    if (cached !== undefined && nowMs < cached.untilMs) return cached.status;
    const asked: Cached = { status: this.#ask(known, brand, player), untilMs: nowMs + statusCacheMs };
    const instances = this.#players.get(key) ?? this.#cacheOf(key);
    instances.set(instance, asked);
    asked.status.catch(() => {
      if (instances.get(instance) === asked) instances.delete(instance);
    });
    return asked.status;
  }

  /** The player has changed something through this gateway. A status on its way is not held either. */
  forget(brand: string, player: string): void {
    if (this.#players.size > 0) this.#players.delete(keyOf(brand, player));
  }

  #cacheOf(key: string): Map<string, Cached> {
    const instances = new Map<string, Cached>();
    this.#players.set(key, instances);
    if (this.#players.size > maxCachedPlayers)
      this.#players.delete(this.#players.keys().next().value as string);
    return instances;
  }

  async #ask(known: KnownInstance, brand: string, player: string): Promise<OptInStatusRecord> {
    const { instance } = known.description;
    const answer = await this.#lanes.query(known.lane, { kind: 'opt_in_status', instance, brand, player });
    if (answer.kind !== 'opt_in_status') throw new PublicError('overloaded');
    return answer.status;
  }
}

/** A brand path holds no space. */
function keyOf(brand: string, player: string): string {
  return `${brand} ${player}`;
}
