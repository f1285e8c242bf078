import type { Contribute } from '../../../src/jackpot/commands.ts';
import type { OracleInstance } from './instance.ts';
import type { OracleLane } from './lane.ts';
import { rulesOf } from './rules.ts';

/** Why an instance does not take contributions of this brand and country now; null: it does. Country null: any. */
export function admission(
  { nowMs, raffles }: OracleLane,
  instance: OracleInstance,
  brand: string,
  country: string | null,
): string | null {
  if (instance.status !== 'Active') return instance.suspended ? 'instance_suspended' : 'instance_not_active';
  if (instance.endMs !== null && nowMs >= instance.endMs) return 'instance_not_active';
  if (raffles.get(instance)?.isOver(nowMs)) return 'instance_not_active';
  if (!instance.pots.some((pot) => pot.enabled)) return 'instance_not_active';
  return covered(instance, brand, country);
}

/** Whether a brand and a country may play at all. */
export function covered(instance: OracleInstance, brand: string, country: string | null): string | null {
  const { allowedBrands, black, white } = rulesOf(instance.document);
  const allowed = allowedBrands?.includes(brand) ?? brand.split(':')[0] === instance.owner;
  if (!allowed) return 'brand_not_allowed';
  if (country === null) return null;
  const covers = (filter: string) => filter === country || country.split('-')[0] === filter;
  if (black.some(covers)) return 'country_not_allowed';
  return white.length === 0 || white.some(covers) ? null : 'country_not_allowed';
}

/** Step 0. */
export function resolve(lane: OracleLane, command: Contribute): OracleInstance | null {
  if (command.target.type === 'instance') return lane.instances.get(command.target.id) ?? null;
  const source = command.target.id;
  const owners = [command.brand, command.operator];
  const segments = [...new Set(command.segments)].flatMap((id) =>
    owners.flatMap((owner, rank) => {
      const priority = lane.segments.get(`${owner}/${id}`);
      return priority === undefined ? [] : [{ owner, id, priority, rank }];
    }),
  );
  segments.sort((a, b) => a.priority - b.priority || a.rank - b.rank || (a.id < b.id ? -1 : 1));
  const lists = [
    ...segments.map(({ owner, id }) => `segment/${owner}/${id}`),
    ...owners.map((owner) => `source/${owner}/${source}`),
  ];
  for (const list of lists) {
    const bound = [...(lane.bindings.get(list) ?? [])];
    bound.sort(([a, p], [b, q]) => p - q || (a < b ? -1 : 1));
    for (const [id] of bound) {
      const instance = lane.instances.get(id)!;
      if (admission(lane, instance, command.brand, command.country) !== null) continue;
      if (!rulesOf(instance.document).optIn) return instance;
      if (lane.isOptedIn(instance, command.brand, command.player, command.currency)) return instance;
    }
  }
  return null;
}
