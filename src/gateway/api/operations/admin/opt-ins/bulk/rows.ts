import type * as z from 'zod';
import type { ErrorCode } from '../../../../../../contracts/errors/codes.ts';
import { isBrandPath, isForeignId, isOwnId } from '../../../../../../contracts/fields/identifiers.ts';
import type { bulkOptIns } from '../../../../../../contracts/jackpots/opt-in.ts';
import { booleanOf, isReplaced } from '../../../../../../lib/csv/spreadsheet.ts';
import type { CsvRow, CsvTable } from '../../../../../base/csv.ts';

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

/** The error of a row is called like its line. One that quotes have made of several lines has an error for each. */
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
