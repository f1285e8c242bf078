import type { WinnerRecord } from '../../../messages/records.ts';

/** Records kept for each pot and brand. */
export const winnersRetained = 500;
/** A list is trimmed when it is read, or this much too long: a thousand players may share a win. */
const slack = 500;

/** `kind` absent: the main win. It distinguishes the payouts of a win and stays in the lane. */
export interface StoredWinner extends Omit<WinnerRecord, 'place'> {
  readonly kind?: 'community' | 'raffle';
}

/** A winner, and how many were added before: of one win the main winner comes first. */
interface Placed {
  readonly record: StoredWinner;
  readonly place: number;
}

/** The newest winners of an instance, for each pot and brand. */
export class Winners {
  readonly #lists = new Map<string, Placed[]>();
  #added = 0;

  add(record: StoredWinner): void {
    const key = `${record.pot}/${record.brand}`;
    const list = this.#lists.get(key) ?? [];
    list.push({ record, place: this.#added++ });
    if (list.length === winnersRetained + slack) trim(list);
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
    const matching = this.#retained().filter(
      ({ record }) => (pot === '' || record.pot === pot) && (brand === '' || record.brand === brand),
    );
    return matching
      .sort((a, b) => b.record.sequence - a.record.sequence || a.place - b.place)
      .slice(0, Math.min(limit, winnersRetained))
      .map(({ record, place }) => ({ ...record, place }));
  }

  all(): readonly StoredWinner[] {
    return this.#retained()
      .sort((a, b) => a.record.sequence - b.record.sequence || a.place - b.place)
      .map(({ record }) => record);
  }

  #retained(): Placed[] {
    for (const list of this.#lists.values()) trim(list);
    return [...this.#lists.values()].flat();
  }
}

/** Drops what `newest` names last, beginning with the oldest win. A main winner goes last. */
function trim(list: Placed[]): void {
  let surplus = list.length - winnersRetained;
  let gone = 0;
  while (surplus > 0) {
    const ofOldest = winLength(list, gone);
    const dropped = Math.min(surplus, ofOldest);
    if (dropped < ofOldest) list.splice(gone + ofOldest - dropped, dropped);
    else gone += ofOldest;
    surplus -= dropped;
  }
  list.splice(0, gone);
}

/** Records of the win that begins at an index of the list. */
function winLength(list: readonly Placed[], from: number): number {
  const { sequence } = list[from]!.record;
  let end = from + 1;
  while (list[end]?.record.sequence === sequence) end += 1;
  return end - from;
}
