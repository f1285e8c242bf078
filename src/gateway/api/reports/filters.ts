import { type BooksCondition, between } from '../../../contracts/reports/conditions.ts';
import { toHex } from '../../../lib/bytes.ts';
import { PublicError } from '../../base/errors.ts';
import { idempotencyHash } from '../contribution/repeated.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { among, type BooksReader, booksScope, equal, operatorsAsked } from './scope.ts';

interface Filters {
  readonly owner_id?: string | undefined;
  readonly brand_id?: string | undefined;
  readonly instance_id?: string | undefined;
  readonly player_id?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly idempotency_key?: string | undefined;
  readonly source_id?: string | undefined;
}

/** Columns of a list, by the names of inputs that it is filtered by. */
export type FilterColumns = Readonly<Record<string, string>>;

/** Brands that one question looks through for a player. */
const maxBrands = 1_000;

/** What rows of a list must meet: the caller's scope, and each input. @throws PublicError */
export function listConditions(
  context: GatewayContext,
  principal: BooksReader,
  query: Filters & Readonly<Record<string, unknown>>,
  time: string,
  columns: FilterColumns,
): readonly BooksCondition[] {
  const { from, to, player_id: player, idempotency_key: key, source_id: source } = query;
  return [
    ...booksScope(context, principal, query),
    ...between(time, from, to),
    ...(player === undefined ? [] : ofPlayer(context, principal, query, player)),
    ...(key === undefined ? [] : [ofKey(principal, query, key)]),
    ...(source === undefined
      ? []
      : [among('operator', named(principal, query, 'source_id')), equal('source', source)]),
    ...Object.entries(columns).flatMap(([name, column]) => {
      const value = query[name];
      return typeof value === 'string' ? [equal(column, value)] : [];
    }),
  ];
}

/** A player's id is one of a brand: without one, it is looked for in all brands of the operators. */
function ofPlayer(
  { directory }: GatewayContext,
  principal: BooksReader,
  query: Filters,
  player: string,
): readonly BooksCondition[] {
  if (query.brand_id !== undefined || query.owner_id?.includes(':') === true)
    return [equal('player', player)];
  const operators = named(principal, query, 'player_id');
  const brands = operators.flatMap((operator) =>
    directory.entries.brandsOf(operator).map(({ path }) => path),
  );
  if (brands.length > maxBrands) throw new PublicError('invalid_parameter', 'player_id needs brand_id here.');
  return [among('brand', brands.length === 0 ? [''] : brands), equal('player', player)];
}

/** Keys are an operator's. */
function ofKey(principal: BooksReader, query: Filters, key: string): BooksCondition {
  const operators = named(principal, query, 'idempotency_key');
  return among(
    'key_hash',
    operators.map((operator) => toHex(idempotencyHash(operator, key))),
  );
}

function named(principal: BooksReader, query: Filters, input: string): readonly string[] {
  const operators = operatorsAsked(principal, query);
  if (operators.length === 0)
    throw new PublicError('invalid_parameter', `${input} needs owner_id or brand_id beside it.`);
  return operators;
}
