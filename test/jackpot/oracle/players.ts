/** What a lane knows of one player of one instance. */
export interface Player {
  readonly brand: string;
  readonly name: string;
  optedIn: boolean;
  hasOptIn: boolean;
  /** Left with every currency that is not among those by name. */
  isOut: boolean;
  /** A switch under way copied the opt-in here. */
  isCopied: boolean;
  /** In the order they were stated. */
  byCurrency: (readonly [currency: string, value: bigint | null, optedIn: boolean])[];
  count: number;
  value: bigint;
  pots: Map<string, readonly [number, bigint]>;
  currency: string | null;
  /** Order of the first accepted contribution to the instance; null: none yet. */
  ordinal: number | null;
  lastMs: number;
  /** By pot: its shares in the cycle named. */
  cycles: Map<string, { readonly cycle: number; readonly value: bigint }>;
}

/** Out with some currency, and in with none. */
export function hasLeft({ hasOptIn, optedIn }: Player): boolean {
  return hasOptIn && !optedIn;
}

export class Players {
  readonly #all = new Map<string, Map<string, Player>>();

  of(instance: string): Player[] {
    return [...(this.#all.get(instance)?.values() ?? [])];
  }

  /** Those who contributed, by ordinal. */
  contributors(instance: string): Player[] {
    return this.of(instance)
      .filter((each) => each.ordinal !== null)
      .sort((a, b) => a.ordinal! - b.ordinal!);
  }

  find(instance: string, brand: string, name: string): Player | undefined {
    return this.#all.get(instance)?.get(`${brand}/${name}`);
  }

  enter(instance: string, brand: string, name: string): Player {
    const players = this.#all.get(instance) ?? new Map<string, Player>();
    this.#all.set(instance, players);
    const found = players.get(`${brand}/${name}`) ?? {
      brand,
      name,
      optedIn: false,
      hasOptIn: false,
      isOut: false,
      isCopied: false,
      byCurrency: [],
      count: 0,
      value: 0n,
      pots: new Map(),
      currency: null,
      ordinal: null,
      lastMs: 0,
      cycles: new Map(),
    };
    players.set(`${brand}/${name}`, found);
    return found;
  }

  /** A contribution that was accepted; `gross` by pot id, null where the pot was not fed. */
  note(
    player: Player,
    instance: string,
    currency: string,
    c: bigint,
    nowMs: number,
    gross: readonly (readonly [pot: string, cycle: number, share: bigint | null])[],
  ): void {
    player.ordinal ??= this.contributors(instance).length;
    player.count += 1;
    player.value += c;
    player.currency = currency;
    player.lastMs = nowMs;
    for (const [pot, cycle, share] of gross) {
      if (share === null) continue;
      const [count, value] = player.pots.get(pot) ?? [0, 0n];
      player.pots.set(pot, [count + 1, value + share]);
      const before = player.cycles.get(pot);
      player.cycles.set(pot, { cycle, value: share + (before?.cycle === cycle ? before.value : 0n) });
    }
  }
}
