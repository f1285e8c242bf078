import type * as z from 'zod';
import { authorize } from '../../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../../access/rights/principal.ts';
import type { ErrorCode } from '../../../../../../contracts/errors/codes.ts';
import {
  isBrandPath,
  isForeignId,
  isOwnId,
  operatorOf,
} from '../../../../../../contracts/fields/identifiers.ts';
import type { bulkOptIns } from '../../../../../../contracts/jackpots/opt-in.ts';
import type { KnownInstance } from '../../../../../../directory/lane-view.ts';
import type { ReadModel } from '../../../../../../directory/read-model.ts';
import { booleanOf, isReplaced } from '../../../../../../lib/csv/spreadsheet.ts';
import type { CsvRow, CsvTable } from '../../../../../base/csv.ts';
import { currencyRefusal, stateRefusal } from '../../../../players/opt-in.ts';

/** An opt-in or opt-out of A25, as it was asked for. */
export interface AskedRow {
  /** What its error is called in the answer. */
  readonly key: string;
  readonly instance: string;
  /** A path, or bare. */
  readonly brand: string;
  readonly player: string;
  readonly currency: string;
  readonly optIn: boolean;
  /** The row itself is wrong; null: it is not. */
  readonly fault: ErrorCode | null;
}

/** In the order of the lists, the opt-ins of each before its opt-outs. */
export function* rowsOfLists(lists: z.output<typeof bulkOptIns>): Iterable<AskedRow> {
  for (const { instance_id: instance, brand_id: brand, opt_ins, opt_outs } of lists) {
    for (const [items, optIn] of [
      [opt_ins, true],
      [opt_outs, false],
    ] as const) {
      for (const { player_id: player, currency } of items)
        yield {
          key: `${instance}/${brand}/${player}`,
          instance,
          brand,
          player,
          currency,
          optIn,
          fault: null,
        };
    }
  }
}

/** The error of a row has its line as its name; a quoted row of several lines has an error for each. */
export function* rowsOfTable({ rows }: CsvTable): Iterable<AskedRow> {
  for (const { lines, cells } of rows) {
    const [instance = '', brand = '', player = '', currency = '', moved = ''] = cells ?? [];
    const fault = faultOf({ lines, cells });
    const row = { instance, brand, player, currency, optIn: booleanOf(moved) === true, fault };
    for (let line = lines[0]; line <= lines[1]; line += 1) yield { key: String(line), ...row };
  }
}

const maxCurrencyLength = 16;

function faultOf({ lines, cells }: CsvRow): ErrorCode | null {
  if (cells?.length !== 5 || lines[0] !== lines[1]) return 'csv_invalid';
  const [instance = '', brand = '', player = '', currency = '', moved = ''] = cells;
  if (booleanOf(moved) === null) return 'invalid_request';
  if (currency === '' || currency.length > maxCurrencyLength) return 'invalid_request';
  const areIds = isOwnId(instance) && (isOwnId(brand) || isBrandPath(brand)) && isForeignId(player);
  return areIds && ![instance, brand, player].some(isReplaced) ? null : 'invalid_identifier';
}

interface Admitted {
  readonly known: KnownInstance;
  /** Path. */
  readonly brand: string;
}

type Verdict = Admitted | ErrorCode;

/** What the gateway can say of a row, in the order of A24; runs of one instance are looked up once. */
export class RowJudge {
  readonly #directory: ReadModel;
  readonly #principal: AdministratorPrincipal;
  readonly #verdicts = new Map<string, Verdict>();
  readonly #currencies = new Map<string, ErrorCode | null>();

  constructor(directory: ReadModel, principal: AdministratorPrincipal) {
    this.#directory = directory;
    this.#principal = principal;
  }

  judge({ instance, brand, currency, optIn, fault }: AskedRow): Verdict {
    if (fault !== null) return fault;
    const verdict = cached(this.#verdicts, `${instance} ${brand}`, () => this.#admit(instance, brand));
    if (typeof verdict === 'string' || !optIn) return verdict;
    const refusal = cached(this.#currencies, `${instance} ${verdict.brand} ${currency}`, () =>
      currencyRefusal(this.#directory, verdict.known, verdict.brand, currency),
    );
    if (refusal === null) return verdict;
    return stateRefusal(verdict.known, verdict.brand, null) ?? refusal;
  }

  #admit(instance: string, given: string): Verdict {
    const directory = this.#directory;
    const known = directory.known(instance);
    const missing = directory.unknownOr('instance_not_found');
    if (known === undefined) return missing;
    const fault = directory.conditions.fault(known.lane);
    const operator = operatorOf(known.description.owner);
    const refusal = this.#refusal(known.description.owner, missing);
    if (refusal !== null) return refusal;
    const brand = directory.entries.brandPath(given, operator);
    if (brand === null) return 'brand_not_found';
    const foreign = this.#refusal(brand, 'brand_not_found');
    if (foreign !== null) return foreign;
    if (!directory.visibleTo({ kind: 'operator', operator: operatorOf(brand) }, known))
      return stateRefusal(known, brand, null) ?? 'brand_not_allowed';
    return fault ?? { known, brand };
  }

  #refusal(owner: string, missing: ErrorCode): ErrorCode | null {
    const decision = authorize(this.#principal, 'opt_in', owner);
    if (decision === 'allowed') return null;
    return decision === 'foreign' ? missing : 'forbidden';
  }
}

function cached<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
