import type * as z from 'zod';
import type { ErrorCode } from '../../../../../contracts/errors.ts';
import { isBrandPath, isForeignId, isOwnId } from '../../../../../contracts/identifiers.ts';
import type { bulkOptIns } from '../../../../../contracts/opt-in.ts';
import type { CsvTable } from '../../../../body/csv.ts';

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

/** Rows count from 1, the first one behind the header. */
export function* rowsOfTable({ rows }: CsvTable): Iterable<AskedRow> {
  for (const [index, cells] of rows.entries()) {
    const [instance = '', brand = '', player = '', currency = '', optIn = ''] = cells;
    const fault = faultOf(cells);
    yield { key: String(index + 1), instance, brand, player, currency, optIn: optIn === 'true', fault };
  }
}

const maxCurrencyLength = 16;

function faultOf(cells: readonly string[]): ErrorCode | null {
  const [instance = '', brand = '', player = '', currency = '', optIn = ''] = cells;
  if (cells.length !== 5) return 'csv_invalid';
  if (optIn !== 'true' && optIn !== 'false') return 'invalid_request';
  if (currency === '' || currency.length > maxCurrencyLength) return 'invalid_request';
  const areIds = isOwnId(instance) && (isOwnId(brand) || isBrandPath(brand)) && isForeignId(player);
  return areIds ? null : 'invalid_identifier';
}
