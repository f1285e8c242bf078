import type { Contribute } from '../../../src/messages/player-commands.ts';
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
  const allowed = allowedBrands?.includes(brand) ?? isOwnBrand(instance.owner, brand);
  if (!allowed) return 'brand_not_allowed';
  if (country === null) return null;
  const covers = (filter: string) => filter === country || country.split('-')[0] === filter;
  if (black.some(covers)) return 'country_not_allowed';
  return white.length === 0 || white.some(covers) ? null : 'country_not_allowed';
}

/** The owner is a brand, or the operator of its brands. */
export function isOwnBrand(owner: string, brand: string): boolean {
  const [operator] = brand.split(':');
  return owner === brand || owner === operator;
}

/** Step 0. */
export function resolve(lane: OracleLane, command: Contribute): OracleInstance | null {
  if (command.target.type === 'instance') return lane.instances.get(command.target.id) ?? null;
  const source = command.target.id;
  const owners = [command.brand, command.operator];
  const boundTo = (list: string) => [...(lane.bindings.get(list) ?? [])];
  const led = [...new Set(command.segments)].flatMap((id) =>
    owners.flatMap((owner, rank) => {
      const first = lane.segments.get(`${owner}/${id}`);
      if (first === undefined) return [];
      return boundTo(`segment/${owner}/${id}`).map(([to, second]) => ({ to, order: [first, second, rank] }));
    }),
  );
  const own = owners.flatMap((owner, rank) =>
    boundTo(`source/${owner}/${source}`).map(([to, second]) => ({ to, order: [rank, second, 0] })),
  );
  for (const list of [led, own]) {
    list.sort((a, b) => {
      const at = a.order.findIndex((each, place) => each !== b.order[place]);
      return at < 0 ? (a.to < b.to ? -1 : 1) : a.order[at]! - b.order[at]!;
    });
    for (const { to } of list) {
      const instance = lane.instances.get(to)!;
      if (admission(lane, instance, command.brand, command.country) !== null) continue;
      const { brand, player, currency } = command;
      if (lane.isOptedOut(instance, brand, player, currency)) continue;
      if (!rulesOf(instance.document).optIn) return instance;
      if (lane.isOptedIn(instance, brand, player, currency)) return instance;
    }
  }
  return null;
}
