import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { WinnerRecord } from '../../../messages/records.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';

/** The winners that an actor keeps of a pot and brand, and the most that one query returns. */
const maxReturned = 500;
const questionsAtOnce = 32;

type Asking = Pick<GatewayContext, 'lanes'>;

/**
 * The newest winners of an instance's pot ('': of all its pots) among the given brands, newest first. Operators share
 * instances, and a caller sees only the wins of these brands.
 */
export async function newestWinners(
  context: Asking,
  known: KnownInstance,
  pot: string,
  brands: ReadonlySet<string>,
  limit: number,
): Promise<readonly WinnerRecord[]> {
  if (limit === 0 || brands.size === 0) return [];
  const [only] = brands;
  if (brands.size === 1 && only !== undefined) return ask(context, known, pot, only, limit);
  const newest = await ask(context, known, pot, '', maxReturned);
  const seen = newest.filter((winner) => brands.has(winner.brand));
  // Only where others' wins crowd these out has each brand to be asked for by its name.
  if (newest.length < maxReturned || seen.length >= limit) return seen.slice(0, limit);
  const found: WinnerRecord[] = [];
  for (const some of chunks([...brands], questionsAtOnce)) {
    const lists = await Promise.all(some.map((brand) => ask(context, known, pot, brand, limit)));
    found.push(...lists.flat());
  }
  return found.sort((a, b) => b.sequence - a.sequence || a.place - b.place).slice(0, limit);
}

/** Of each pot of the instance, in their order, its newest winners: pots without one have an empty list. */
export async function newestPotWinners(
  context: Asking,
  known: KnownInstance,
  brands: ReadonlySet<string>,
  limit: number,
): Promise<readonly (readonly [pot: string, winners: readonly WinnerRecord[]])[]> {
  return Promise.all(
    known.configuration.pots.map(
      async ({ id }) => [id, await newestWinners(context, known, id, brands, limit)] as const,
    ),
  );
}

async function ask(
  { lanes }: Asking,
  known: KnownInstance,
  pot: string,
  brand: string,
  limit: number,
): Promise<readonly WinnerRecord[]> {
  const { instance } = known.description;
  const answer = await lanes.query(known.lane, { kind: 'winners', instance, pot, brand, limit });
  if (answer.kind !== 'winners') throw new PublicError('overloaded');
  return answer.winners;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
