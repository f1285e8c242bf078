import type { WinnerRecord } from '../outcomes.ts';

/** Records kept for each pot and brand. */
export const WINNERS_KEPT = 500;

interface Kept {
  readonly record: WinnerRecord;
  /** Among the records of one win: the main one is the first. */
  readonly place: number;
}

/** The newest winners of an instance, for each pot and brand. */
export class Winners {
  readonly #lists = new Map<string, Kept[]>();

  /** Records of one win come in their order. */
  add(record: WinnerRecord): void {
    const key = `${record.pot}/${record.brand}`;
    const list = this.#lists.get(key) ?? [];
    list.push({ record, place: this.#nextPlace(record.sequence) });
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
    list?.forEach(({ record, place }, index) => {
      const same =
        record.player === player && record.sequence === sequence && (record.kind ?? 'main') === kind;
      if (same) list[index] = { record: { ...record, withheld }, place };
    });
  }

  /** Newest first, of one win the main winner first. Empty pot or brand: any. */
  newest(pot: string, brand: string, limit: number): readonly WinnerRecord[] {
    return this.#kept()
      .filter(({ record }) => (pot === '' || record.pot === pot) && (brand === '' || record.brand === brand))
      .sort((a, b) => b.record.sequence - a.record.sequence || a.place - b.place)
      .slice(0, Math.min(limit, WINNERS_KEPT))
      .map(({ record }) => record);
  }

  /** In the order in which they were added. */
  all(): readonly WinnerRecord[] {
    return this.#kept()
      .sort((a, b) => a.record.sequence - b.record.sequence || a.place - b.place)
      .map(({ record }) => record);
  }

  #kept(): Kept[] {
    return [...this.#lists.values()].flat();
  }

  /** Lists are in order, so the highest place of a win is at the end of one of them. */
  #nextPlace(sequence: number): number {
    let next = 0;
    for (const list of this.#lists.values()) {
      const last = list[list.length - 1];
      if (last !== undefined && last.record.sequence === sequence) next = Math.max(next, last.place + 1);
    }
    return next;
  }
}
