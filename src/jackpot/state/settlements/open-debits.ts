import { equalBytes } from '../../../lib/bytes.ts';
import type { ContributionOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import type { CreditRecord, DebitRecord } from '../../../messages/settlements.ts';
import type { RateTable } from '../directory/rates.ts';
import { OpenBook } from './open-book.ts';

/** Debits that a lane has open at a time; a brand may have as many as are left (docs/decisions/0273). */
export const maxOpenDebits = 65_536;

/** The room of the debits that one message opens in its OUT record, which is limited as a whole. */
export const maxDebitBytes = 96 * 1024;

/** A debit with the price of its contribution at its place in the log. */
export interface OpenDebit extends DebitRecord {
  /** Place among the parts of its contribution. */
  readonly part: number;
  readonly requestAtoms: bigint;
  /** In the instance's currency. */
  readonly contributionAtoms: bigint;
  readonly playerAtoms: bigint;
  readonly wagerAtoms: bigint;
  /** The rate table in force for the brand at that place; a win is paid by it. */
  readonly table: RateTable | null;
}

/** The amount that a contribution adds to the cost of the player, in the currency of the instance. */
export interface TicketCost {
  readonly contributionAtoms: bigint;
  readonly wagerAtoms: bigint;
}

const noCost: TicketCost = { contributionAtoms: 0n, wagerAtoms: 0n };

/** The main instance's part of a contribution, or a link's. */
export type Part = ContributionOutcome | 'waiting' | 'refused';

export interface OpenContribution {
  readonly sequence: number;
  readonly index: number;
  readonly gateway: string;
  readonly batchId: Uint8Array;
  readonly command: Contribute;
  /** The main one first. */
  readonly parts: readonly Part[];
}

/** Answers to contributions that were settled lately are remembered. Not state: they decide nothing. */
const maxRemembered = 16_384;

/** Open debits of a lane, and the contributions that wait for them. */
export class OpenDebits extends OpenBook<OpenDebit> {
  readonly #contributions = new Map<string, OpenContribution>();
  /** By the first bytes of their keys. */
  readonly #byKey = new Map<number, readonly OpenContribution[]>();
  readonly #answers = new Map<string, { readonly sequence: number; readonly index: number }>();
  /** Debited ones that wait for their instance. */
  readonly #debited = new Map<string, number>();
  /** Sums over the open debits of an instance. */
  readonly #costs = new Map<string, TicketCost>();
  /** Only says when the owner asks again. */
  readonly #postponed = new Map<string, number>();

  override set(item: OpenDebit): void {
    const known = this.get(item.transactionId);
    this.#countDebited(known, -1);
    if (known === null) this.#addCosts(item, 1n);
    super.set(item);
    this.#countDebited(item, 1);
  }

  override delete(transactionId: string): void {
    const known = this.get(transactionId);
    this.#countDebited(known, -1);
    if (known !== null) this.#addCosts(known, -1n);
    super.delete(transactionId);
  }

  /** Debits of the instance that the wallet has made and that are not applied yet. */
  debitedOf(instance: string): number {
    return this.#debited.get(instance) ?? 0;
  }

  /** What all open contributions to the instance would add towards tickets. */
  costsOf(instance: string): TicketCost {
    return this.#costs.get(instance) ?? noCost;
  }

  /** When the instance should take its debited ones again, where they could not be applied; null: at once. */
  postponedOf(instance: string): number | null {
    return this.#postponed.get(instance) ?? null;
  }

  postpone(instance: string, untilMs: number): void {
    this.#postponed.set(instance, untilMs);
  }

  contribution(sequence: number, index: number): OpenContribution | null {
    return this.#contributions.get(placeOf(sequence, index)) ?? null;
  }

  /** The open contribution that has the idempotency key. `brand`: it is this brand's; null: whosever. */
  withKey(key: Uint8Array, brand: string | null): OpenContribution | null {
    if (this.#byKey.size === 0) return null;
    const found = this.#byKey
      .get(startOf(key))
      ?.find((open) => hasKey(open, key) && (brand === null || open.command.brand === brand));
    return found ?? null;
  }

  setContribution(open: OpenContribution): void {
    this.#contributions.set(placeOf(open.sequence, open.index), open);
    const key = open.command.idempotencyKey;
    if (key !== null) this.#byKey.set(startOf(key), [...this.#others(open, key), open]);
  }

  /** The outcome at a place of the log answers it. */
  closeContribution(open: OpenContribution, sequence: number, index: number): void {
    const place = placeOf(open.sequence, open.index);
    this.#contributions.delete(place);
    const key = open.command.idempotencyKey;
    if (key !== null) {
      const others = this.#others(open, key);
      if (others.length === 0) this.#byKey.delete(startOf(key));
      else this.#byKey.set(startOf(key), others);
    }
    if (this.#answers.size >= maxRemembered) {
      for (const oldest of this.#answers.keys()) {
        this.#answers.delete(oldest);
        break;
      }
    }
    this.#answers.set(place, { sequence, index });
  }

  /** Where the answer to the contribution at a place is; null: it is open, unknown or forgotten. */
  answerTo(sequence: number, index: number): { readonly sequence: number; readonly index: number } | null {
    return this.#answers.get(placeOf(sequence, index)) ?? null;
  }

  contributions(): Iterable<OpenContribution> {
    return this.#contributions.values();
  }

  /** Other contributions with keys that begin alike. */
  #others({ sequence, index }: OpenContribution, key: Uint8Array): readonly OpenContribution[] {
    const isOther = (open: OpenContribution) => open.sequence !== sequence || open.index !== index;
    return this.#byKey.get(startOf(key))?.filter(isOther) ?? [];
  }

  #addCosts({ instance, contributionAtoms, wagerAtoms }: OpenDebit, sign: bigint): void {
    const before = this.costsOf(instance);
    const after = {
      contributionAtoms: before.contributionAtoms + sign * contributionAtoms,
      wagerAtoms: before.wagerAtoms + sign * wagerAtoms,
    };
    if (after.contributionAtoms === 0n && after.wagerAtoms === 0n) this.#costs.delete(instance);
    else this.#costs.set(instance, after);
  }

  #countDebited(item: OpenDebit | null, change: number): void {
    if (item === null || !item.debited) return;
    const count = this.debitedOf(item.instance) + change;
    if (count === 0) {
      this.#debited.delete(item.instance);
      this.#postponed.delete(item.instance);
    } else this.#debited.set(item.instance, count);
  }
}

function startOf(key: Uint8Array): number {
  return key[0]! | (key[1]! << 8) | (key[2]! << 16) | (key[3]! << 24);
}

function hasKey({ command }: OpenContribution, key: Uint8Array): boolean {
  return command.idempotencyKey !== null && equalBytes(command.idempotencyKey, key);
}

function placeOf(sequence: number, index: number): string {
  return `${sequence}:${index}`;
}

/** Credits that a lane has open; a brand at its limit may not contribute (docs/decisions/0273). */
export const maxOpenCredits = 262_144;

/** Money that players are owed and have not got, in the order of the wins. */
export class OpenCredits extends OpenBook<CreditRecord> {}
