import { CsvError, parse } from 'csv-parse/sync';
import { amountOfCell } from '../../contracts/amount.ts';
import { InputError } from './records.ts';

/** A contribution before it is checked: what the members of its record say. */
export type Members = Record<string, unknown>;

/** Members of the body of O16, and how the cells of their columns are read. */
const columns: Readonly<Record<string, 'text' | 'amount' | 'yes-no' | 'list'>> = {
  ref: 'text',
  'target.type': 'text',
  'target.id': 'text',
  'source.type': 'text',
  'source.id': 'text',
  operator_id: 'text',
  'player.id': 'text',
  'player.token': 'text',
  'player.country': 'text',
  'player.brand_id': 'text',
  'player.segments': 'list',
  'base_wager.currency': 'text',
  'base_wager.value': 'amount',
  'options.vertical_id': 'text',
  'options.game_code': 'text',
  'options.game_category': 'text',
  'options.allow_linked_contributions': 'yes-no',
  'options.callback.web_hook': 'text',
  'options.callback.win_result_only': 'yes-no',
  'options.idempotency_key': 'text',
  'options.bonus.bonus_id': 'text',
  'options.bonus.amount': 'amount',
  'options.bonus.currency': 'text',
};
const ownMember = /^(?:event_)?metadata\.([A-Za-z0-9_-]{1,64})$/;

/** The columns of a CSV file, and how its rows become contributions. */
export class Columns {
  readonly #names: readonly string[];
  readonly #key: string | null;

  /** @param key a column that need not be a member of a contribution. @throws InputError */
  constructor(header: string, key: string | null) {
    const [names = []] = parseRows(header) ?? [];
    // All of the file would be its header.
    if (names.some((name) => name.includes('\r')))
      throw new InputError('Its lines end with carriage returns alone. Give them line feeds.');
    this.#names = names;
    this.#key = key;
    const wrong = names.filter((name) => name !== key && !isMember(name));
    if (wrong.length > 0)
      throw new InputError(
        `These columns are no members of a contribution: ${wrong.join(', ')}. "potstream send --help" lists them.`,
      );
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    if (repeated.length > 0) throw new InputError(`These columns come twice: ${repeated.join(', ')}.`);
    if (key !== null && !names.includes(key)) throw new InputError(`There is no column ${key}.`);
  }

  /** A contribution, or what is wrong with its row. */
  read(cells: readonly string[]): Members | string {
    if (cells.length !== this.#names.length)
      return `The row has ${cells.length} cells, and the header ${this.#names.length}.`;
    const members: Members = {};
    for (const [index, name] of this.#names.entries()) {
      const cell = cells[index] ?? '';
      if (cell === '' || !isMember(name)) continue;
      const value = cellValue(name, cell);
      if (value === undefined) return `${name} is neither true nor false.`;
      put(members, name.split('.'), value);
    }
    return members;
  }

  /** The cell of the column of idempotency keys; null: there is none. */
  keyOf(cells: readonly string[]): string | null {
    if (this.#key === null) return null;
    return cells[this.#names.indexOf(this.#key)] || null;
  }
}

/** Rows of CSV; null: they are not. */
export function parseRows(text: string): string[][] | null {
  try {
    return parse(text, {
      relax_column_count: true,
      // Where a record ends is known (records.ts), and may not be guessed from what the first one holds.
      record_delimiter: '\n',
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

function isMember(name: string): boolean {
  if (Object.hasOwn(columns, name)) return true;
  const [, own] = ownMember.exec(name) ?? [];
  return own !== undefined && own !== '__proto__';
}

/** undefined: the cell has no value of its column. */
function cellValue(name: string, cell: string): unknown {
  const type = columns[name] ?? 'text';
  if (type === 'list') return cell.split(';').map((each) => each.trim());
  if (type === 'text') return cell;
  if (type === 'amount') return amountOfCell(cell);
  return cell === 'true' ? true : cell === 'false' ? false : undefined;
}

function put(members: Members, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    members[name] = value;
    return;
  }
  members[name] ??= {};
  put(members[name] as Members, rest, value);
}
