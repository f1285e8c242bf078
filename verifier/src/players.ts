import { toHex } from './bytes.ts';
import type { PublicRecord } from './document.ts';

/** Knowledge about one player, by pseudonym. */
export interface KnownPlayer {
  readonly pseudonym: Uint8Array;
  lastMs: number;
  /** The last record was made in another currency than the instance's: payments are made in that. */
  isConverted: boolean;
  /** By pot: gross shares of the player's contributions, in the cycle named and in all. */
  readonly shares: { cycle: number; inCycle: bigint; inAll: bigint }[];
}

/**
 * The players of an instance in order of their first contribution: their ordinals. Complete only if every epoch since
 * the first was followed; then the candidates of community shares can be checked, not only the picks.
 */
export class Players {
  #known = new Map<string, KnownPlayer>();

  get(pseudonym: Uint8Array): KnownPlayer | undefined {
    return this.#known.get(toHex(pseudonym));
  }

  /** Who has never come is paid in the instance's currency, too. */
  isOwnCurrency(pseudonym: Uint8Array): boolean {
    return this.get(pseudonym)?.isConverted !== true;
  }

  copy(): Players {
    const copy = new Players();
    for (const [name, player] of this.#known) {
      copy.#known.set(name, { ...player, shares: player.shares.map((share) => ({ ...share })) });
    }
    return copy;
  }

  inOrder(): readonly KnownPlayer[] {
    return [...this.#known.values()];
  }

  note(
    pseudonym: Uint8Array,
    { converted, timestampMs }: Pick<PublicRecord, 'converted' | 'timestampMs'>,
    shares: readonly (bigint | null)[],
    cycles: readonly number[],
  ): void {
    const name = toHex(pseudonym);
    const player = this.#known.get(name) ?? { pseudonym, lastMs: 0, isConverted: false, shares: [] };
    this.#known.set(name, player);
    player.lastMs = timestampMs;
    player.isConverted = converted;
    shares.forEach((share, pot) => {
      if (share === null) return;
      const before = player.shares[pot] ?? { cycle: 0, inCycle: 0n, inAll: 0n };
      const cycle = cycles[pot]!;
      player.shares[pot] = {
        cycle,
        inCycle: (before.cycle === cycle ? before.inCycle : 0n) + share,
        inAll: before.inAll + share,
      };
    });
  }
}
