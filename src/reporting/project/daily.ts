import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { BookedContribution, BookedMessage, Posting } from '../base/booked-message.ts';
import type { Measure } from '../base/daily-tables.ts';
import { dayAt } from '../base/days.ts';
import type { DailyChange, Movement, PlayerChange } from '../base/lane-batch.ts';
import type { RowOf } from '../base/tables.ts';
import type { LaneFacts } from './facts.ts';
import { movementOf } from './split.ts';

type Amounts = { [M in Measure]?: bigint };

/** Whose a part of the totals is. */
interface Part {
  readonly day: string;
  readonly instance: string;
  readonly pot: string;
  readonly brand: string;
  readonly operator: string;
  readonly currency: string;
}

/** The house's, whichever of them has the money. */
const houseAccounts = ['house', 'diversion', 'diversion_pending'] as const;

/** Sums of the messages of a batch: by day, by player, by account. */
export class DailySums {
  readonly #totals = new Map<string, Part & { readonly measures: Amounts }>();
  readonly #players = new Map<string, { -readonly [K in keyof PlayerChange]: PlayerChange[K] }>();
  readonly #movements = new Map<string, { -readonly [K in keyof Movement]: Movement[K] }>();
  readonly #facts: LaneFacts;

  constructor(facts: LaneFacts) {
    this.#facts = facts;
  }

  get totals(): readonly DailyChange[] {
    return [...this.#totals.values()];
  }

  get players(): readonly PlayerChange[] {
    return [...this.#players.values()];
  }

  get movements(): readonly Movement[] {
    return [...this.#movements.values()];
  }

  /** `posting` undefined: of nothing. */
  contribution(message: BookedMessage, booked: BookedContribution, posting: Posting | undefined): void {
    const { command, instance, contributionAtoms, playerAtoms, debitAtoms, bonusAtoms } = booked;
    const { currency } = this.#facts.of(message, instance);
    const { operator, brand, player } = command;
    const part = { day: dayAt(message.timestampMs), instance, pot: '', brand, operator, currency };
    const { pots, of: moved } = movementOf(posting);
    const total = (of: 'atoms' | 'seedAtoms') => sumOf([...pots.values()].map((pot) => pot[of]));
    const house = sumOf(houseAccounts.map(moved));
    this.#add(part, {
      contributions: 1n,
      wagered: booked.wagerAtoms,
      contributed: contributionAtoms,
      player_part: playerAtoms,
      operator_part: contributionAtoms - playerAtoms,
      // In the instance's currency: the same part of the player's part.
      bonus: debitAtoms === 0n ? 0n : (playerAtoms * bonusAtoms) / debitAtoms,
      house,
      diverted: moved('diversion') + moved('diversion_pending'),
      seed_collected: total('seedAtoms'),
      // What reached neither pots nor house went to the operator.
      repaid: contributionAtoms - house - total('atoms'),
    });
    for (const [pot, { atoms, seedAtoms }] of pots)
      this.#add({ ...part, pot }, { contributed: atoms, seed_collected: seedAtoms });
    const of = this.#player(part, player);
    of.contributions += 1;
    of.contributedAtoms += contributionAtoms;
    of.playerAtoms += playerAtoms;
  }

  win(message: BookedMessage, row: RowOf<'wins'>): void {
    const { instance, brand, operator, currency, pot, amount } = row;
    const part = { day: dayAt(message.timestampMs), instance, pot, brand, operator, currency };
    this.#addToPot(part, {
      wins: 1n,
      won: amount,
      ...(row.kind === 'community' || row.kind === 'raffle' ? { [row.kind]: amount } : {}),
    });
    const of = this.#player(part, row.player);
    of.wins += 1;
    of.wonAtoms += amount;
  }

  withheld(message: BookedMessage, row: RowOf<'payments'>): void {
    const { instance, brand, operator, pot, amount } = row;
    const { currency } = this.#facts.of(message, instance);
    const part = { day: dayAt(message.timestampMs), instance, brand: brand ?? '', operator, currency };
    this.#addToPot({ ...part, pot: pot ?? '' }, { withheld: amount ?? 0n });
  }

  /** Every posting. */
  moved(message: BookedMessage, { instance, amounts }: Posting): void {
    const day = dayAt(message.timestampMs);
    for (const [account, atoms] of amounts) this.#move(day, instance, account, atoms);
  }

  /** A posting of no contribution. `brand`: of the player by whom it happened; empty: no player's. */
  entry(message: BookedMessage, posting: Posting, brand: string): void {
    const { instance } = posting;
    const facts = this.#facts.of(message, instance);
    const operator = brand === '' ? facts.operator : operatorOf(brand);
    const day = dayAt(message.timestampMs);
    const part = { day, instance, pot: '', brand, operator, currency: facts.currency };
    const { pots, of } = movementOf(posting);
    const capital = of('operator_capital');
    const paid = { seed_fronted: capital < 0n ? -capital : 0n, fees: of('operator_fee') };
    const adjusted = -of('adjustment');
    const transferred = -of('transfer');
    this.#add(part, { ...paid, fx: of('fx'), adjusted, transferred });
    for (const [pot, { atoms }] of pots) {
      const came = adjusted !== 0n ? { adjusted: atoms } : transferred !== 0n ? { transferred: atoms } : {};
      this.#add({ ...part, pot }, pots.size === 1 ? { ...paid, ...came } : came);
    }
  }

  #addToPot(part: Part, measures: Amounts): void {
    this.#add({ ...part, pot: '' }, measures);
    if (part.pot !== '') this.#add(part, measures);
  }

  #add(part: Part, measures: Amounts): void {
    if (Object.values(measures).every((atoms) => atoms === 0n)) return;
    const { day, instance, pot, brand, currency } = part;
    const key = `${day} ${instance} ${pot} ${brand} ${currency}`;
    let sums = this.#totals.get(key)?.measures;
    if (sums === undefined) {
      sums = {};
      this.#totals.set(key, { ...part, measures: sums });
    }
    for (const [measure, atoms] of Object.entries(measures) as [Measure, bigint][])
      if (atoms !== 0n) sums[measure] = (sums[measure] ?? 0n) + atoms;
  }

  #player({ day, operator, brand, instance, currency }: Part, player: string) {
    const key = `${day} ${instance} ${brand} ${player}`;
    const present = this.#players.get(key);
    if (present !== undefined) return present;
    const made = {
      ...{ day, operator, brand, player, instance, currency },
      ...{ contributions: 0, contributedAtoms: 0n, playerAtoms: 0n, wins: 0, wonAtoms: 0n },
    };
    this.#players.set(key, made);
    return made;
  }

  /** What adds up to nothing within a batch is kept: rows may not depend on where batches end. */
  #move(day: string, instance: string, account: string, atoms: bigint): void {
    if (atoms === 0n) return;
    const key = `${day} ${instance} ${account}`;
    const present = this.#movements.get(key);
    if (present === undefined) this.#movements.set(key, { day, instance, account, atoms });
    else present.atoms += atoms;
  }
}

function sumOf(atoms: readonly bigint[]): bigint {
  return atoms.reduce((sum, each) => sum + each, 0n);
}
