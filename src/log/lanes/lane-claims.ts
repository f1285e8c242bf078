import { crash } from '../../lib/crash.ts';
import { type Clock, LogError, type Table } from '../../ports.ts';

/** A lease that its holder has not renewed for this long is free. */
export const leaseMs = 3_000;
export const claimRenewEveryMs = 800;

interface LaneClaimsPorts {
  readonly table: Table;
  readonly clock: Clock;
  readonly role: 'wallet' | 'outbox' | 'storage' | 'reporting';
  /** The same after a restart: a process takes over at once what its predecessor held. */
  readonly holder: string;
  readonly lanes: number;
  readonly gained: (lane: number) => void;
  /** The lease is lost: another process may work for the lane, now or soon. */
  readonly lost: (lane: number) => void;
  /** A bug of ours. Outages are not reported: a lease that cannot be renewed is lost. */
  readonly report: (error: unknown) => void;
}

export interface LaneClaims {
  holds(lane: number): boolean;
  /** Gives all leases back, after `lost` for each. */
  stop(): Promise<void>;
}

/**
 * Leases of lanes, so that of all processes of a role one works for a lane. They save work; nothing may
 * depend on them, because a paused holder believes in its lease until it looks again (docs/decisions/0259).
 * Time is that of this process alone: a lease is free once it was seen unchanged for `leaseMs`.
 */
export function startLaneClaims(ports: LaneClaimsPorts): LaneClaims {
  const claims = Array.from({ length: ports.lanes }, (_, lane) => new Claim(lane, ports));
  return {
    holds: (lane) => claims[lane]?.isHeld ?? false,
    async stop() {
      await Promise.all(claims.map((claim) => claim.stop()));
    },
  };
}

class Claim {
  isHeld = false;
  readonly #lane: number;
  readonly #ports: LaneClaimsPorts;
  readonly #key: string;
  readonly #value: Uint8Array;
  /** The revision that was seen last, and when it was seen first, or written. */
  #seen: { readonly revision: number; readonly sinceMs: number } | null = null;
  #isFirstLook = true;
  #stopped = false;
  #cancel = () => {};
  #round: Promise<void>;

  constructor(lane: number, ports: LaneClaimsPorts) {
    this.#lane = lane;
    this.#ports = ports;
    this.#key = `${ports.role}.${lane}`;
    this.#value = new TextEncoder().encode(JSON.stringify({ holder: ports.holder }));
    this.#round = this.#next();
    this.#round.catch(crash);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#round;
    if (!this.isHeld || this.#seen === null) return;
    const { revision } = this.#seen;
    this.#lose();
    try {
      await this.#ports.table.remove(this.#key, revision);
    } catch (error) {
      if (!(error instanceof LogError)) this.#ports.report(error);
    }
  }

  async #next(): Promise<void> {
    try {
      await (this.isHeld ? this.#renew() : this.#look());
    } catch (error) {
      if (!(error instanceof LogError)) this.#ports.report(error);
      this.#loseOverdue();
    }
    if (this.#stopped) return;
    const renew = (): void => {
      this.#round = this.#next();
      this.#round.catch(crash);
    };
    this.#cancel = this.#ports.clock.after(claimRenewEveryMs, renew, 'aligned');
  }

  async #renew(): Promise<void> {
    const beganMs = this.#ports.clock.elapsedMs();
    const overdue = this.#ports.clock.after(leaseMs - (beganMs - (this.#seen?.sinceMs ?? 0)), () =>
      this.#loseOverdue(),
    );
    try {
      const revision = await this.#write(this.#seen?.revision ?? 0);
      if (revision === null) this.#lose();
      else this.#seen = { revision, sinceMs: beganMs };
    } finally {
      overdue();
    }
  }

  async #look(): Promise<void> {
    const { table, clock, holder } = this.#ports;
    const present = await table.get(this.#key);
    const isFirst = this.#isFirstLook;
    this.#isFirstLook = false;
    const beganMs = clock.elapsedMs();
    if (present !== null && present.revision !== this.#seen?.revision)
      this.#seen = { revision: present.revision, sinceMs: beganMs };
    const isFree =
      present === null ||
      (isFirst && holderOf(present.value) === holder) ||
      beganMs - (this.#seen?.sinceMs ?? beganMs) >= leaseMs;
    if (!isFree || this.#stopped) return;
    const revision = await this.#write(present?.revision ?? 0);
    if (revision === null) return;
    this.#seen = { revision, sinceMs: beganMs };
    this.isHeld = true;
    if (!this.#stopped) this.#ports.gained(this.#lane);
  }

  #write(expected: number): Promise<number | null> {
    return this.#ports.table.put(this.#key, this.#value, expected);
  }

  #loseOverdue(): void {
    if (this.isHeld && this.#ports.clock.elapsedMs() - (this.#seen?.sinceMs ?? 0) >= leaseMs) this.#lose();
  }

  #lose(): void {
    this.isHeld = false;
    this.#seen = null;
    this.#ports.lost(this.#lane);
  }
}

function holderOf(value: Uint8Array): string | null {
  try {
    const { holder } = JSON.parse(new TextDecoder().decode(value)) as { holder?: unknown };
    return typeof holder === 'string' ? holder : null;
  } catch {
    return null;
  }
}
