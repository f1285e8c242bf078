import type { WinnerRecord } from '../outcomes.ts';

/** Records kept for each pot and brand. */
export const WINNERS_KEPT = 500;

/** The newest winners of an instance, for each pot and brand. */
export class Winners {
  readonly #lists = new Map<string, WinnerRecord[]>();

  add(record: WinnerRecord): void {
    const key = `${record.pot}/${record.brand}`;
    const list = this.#lists.get(key) ?? [];
    list.push(record);
    if (list.length > WINNERS_KEPT) list.shift();
    this.#lists.set(key, list);
  }

  /** Says of a winner's records of one payout whether their money waits for a person or an unknown answer. */
  mark(
    pot: string,
    brand: string,
    player: string,
    sequence: number,
    kind: 'main' | 'community' | 'raffle',
    withheld: boolean,
  ): void {
    const list = this.#lists.get(`${pot}/${brand}`);
    list?.forEach((record, index) => {
      const same =
        record.player === player && record.sequence === sequence && (record.kind ?? 'main') === kind;
      if (same) list[index] = { ...record, withheld };
    });
  }

  /** Newest first. Empty pot or brand: any. */
  newest(pot: string, brand: string, limit: number): readonly WinnerRecord[] {
    const matching = [...this.#lists.values()]
      .flat()
      .filter((each) => (pot === '' || each.pot === pot) && (brand === '' || each.brand === brand));
    return matching.sort((a, b) => b.sequence - a.sequence).slice(0, Math.min(limit, WINNERS_KEPT));
  }

  all(): readonly WinnerRecord[] {
    return [...this.#lists.values()].flat().sort((a, b) => a.sequence - b.sequence);
  }
}
