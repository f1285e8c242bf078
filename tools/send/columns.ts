import { amountOfCell } from '../../src/contracts/fields/amount.ts';
import { booleanOf, decimalOf, isReplaced } from '../../src/lib/csv/spreadsheet.ts';
import { InputError } from '../input/records.ts';

/** A contribution before it is checked: what the members of its record say. */
export type Members = Record<string, unknown>;

type CellType = 'id' | 'decimal' | 'yes-no' | 'list' | 'any';

/** Members of the body of O16, and how the cells of their columns are read. */
const columns: Readonly<Record<string, CellType>> = {
  ref: 'id',
  'target.type': 'id',
  'target.id': 'id',
  'source.type': 'id',
  'source.id': 'id',
  operator_id: 'id',
  'player.id': 'id',
  'player.token': 'id',
  'player.country': 'id',
  'player.brand_id': 'id',
  'player.segments': 'list',
  'base_wager.currency': 'id',
  'base_wager.value': 'decimal',
  'options.vertical_id': 'id',
  'options.game_code': 'id',
  'options.game_category': 'id',
  'options.allow_linked_contributions': 'yes-no',
  'options.callback.web_hook': 'id',
  'options.callback.win_result_only': 'yes-no',
  'options.idempotency_key': 'id',
  'options.bonus.bonus_id': 'id',
  'options.bonus.amount': 'decimal',
  'options.bonus.currency': 'id',
};
const ownMember = /^(?:event_)?metadata\.([A-Za-z0-9_-]{1,64})$/;

/** The columns of a CSV file, and how its rows become contributions. */
export class Columns {
  readonly #names: readonly string[];
  readonly #key: string | null;

  /** @param key a column that need not be a member of a contribution. @throws InputError */
  constructor(names: readonly string[], key: string | null) {
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
      const cell = cells[index]!;
      if (cell === '') continue;
      const type = typeOf(name);
      const value = cellValues[type](cell);
      if (value === null) return `${name} ${faults[type]}`;
      if (isMember(name)) put(members, name.split('.'), value);
    }
    return members;
  }

  /** The cell of the column of idempotency keys; null: there is none. */
  keyOf(cells: readonly string[]): string | null {
    if (this.#key === null) return null;
    return cells[this.#names.indexOf(this.#key)] || null;
  }
}

/** null: the cell has no value of its column. */
const cellValues: Readonly<Record<CellType, (cell: string) => unknown>> = {
  id: (cell) => (isReplaced(cell) ? null : cell),
  decimal(cell) {
    const decimal = decimalOf(cell);
    return decimal === null ? null : amountOfCell(decimal);
  },
  'yes-no': booleanOf,
  list(cell) {
    const items = cell.split(';').map((each) => each.trim());
    return items.some(isReplaced) ? null : items;
  },
  any: (cell) => cell,
};

const replaced = 'is not what it was: a spreadsheet has rounded it, or could not compute it.';
const faults: Readonly<Record<CellType, string>> = {
  id: replaced,
  decimal: 'is no exact decimal: a spreadsheet has rounded it, or its comma may separate thousands.',
  'yes-no': 'is neither true nor false.',
  list: replaced,
  any: '',
};

/** Idempotency keys, which may have a column of any name, are ids. */
function typeOf(name: string): CellType {
  return columns[name] ?? (ownMember.test(name) ? 'any' : 'id');
}

function isMember(name: string): boolean {
  if (Object.hasOwn(columns, name)) return true;
  const [, own] = ownMember.exec(name) ?? [];
  return own !== undefined && own !== '__proto__';
}

function put(members: Members, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    members[name] = value;
    return;
  }
  members[name] ??= {};
  put(members[name] as Members, rest, value);
}
