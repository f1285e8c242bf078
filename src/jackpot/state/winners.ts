import type { WinnerRecord } from '../../messages/records.ts';

/** Records kept for each pot and brand. */
export const winnersRetained = 500;

/** `kind` absent: the main win. It distinguishes the payouts of a win and stays in the lane. */
export interface Winner extends Omit<WinnerRecord, 'place'> {
  readonly kind?: 'community' | 'raffle';
}

/** A winner, and how many were added before: of one win the main winner comes first. */
interface Placed {
  readonly record: Winner;
  readonly place: number;
}

/** The newest winners of an instance, for each pot and brand. */
export class Winners {
  readonly #lists = new Map<string, Placed[]>();
  #added = 0;

  add(record: Winner): void {
    const key = `${record.pot}/${record.brand}`;
    const list = this.#lists.get(key) ?? [];
    list.push({ record, place: this.#added++ });
    if (list.length > winnersRetained) dropOldest(list);
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

  /** Newest first. Empty pot or brand: any. */
  newest(pot: string, brand: string, limit: number): readonly WinnerRecord[] {
    const matching = [...this.#lists.values()]
      .flat()
      .filter(({ record }) => (pot === '' || record.pot === pot) && (brand === '' || record.brand === brand));
    return matching
      .sort((a, b) => b.record.sequence - a.record.sequence || a.place - b.place)
      .slice(0, Math.min(limit, winnersRetained))
      .map(({ record, place }) => ({ ...record, place }));
  }

  all(): readonly Winner[] {
    return [...this.#lists.values()]
      .flat()
      .sort((a, b) => a.record.sequence - b.record.sequence || a.place - b.place)
      .map(({ record }) => record);
  }
}

/** Drops the record that `newest` names last: the last one of the oldest win. The main winner of a win goes last. */
function dropOldest(list: Placed[]): void {
  const oldest = list[0]?.record.sequence;
  let last = 0;
  while (list[last + 1]?.record.sequence === oldest) last += 1;
  list.splice(last, 1);
}
