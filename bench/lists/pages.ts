import { counts, type ListsWorld } from './world.ts';

/** A list, and the pages that are asked of it. */
export interface List {
  readonly name: string;
  readonly paths: readonly string[];
  readonly token: string;
}

const limits = [50, 500];

/**
 * Every list that grows with the data: sorted by each field in both directions, filtered; first, middle and
 * last page.
 */
export function listsOf({
  owner,
  brand,
  raffle,
  tickets,
  administrator,
  service,
}: ListsWorld): readonly List[] {
  const admin = (name: string, paths: readonly string[]): List => ({ name, paths, token: administrator });
  const own = (name: string, paths: readonly string[]): List => ({ name, paths, token: service });
  const instance = `/config/instances/${raffle}`;
  const ofOwner = `owner_id=${owner}`;
  const everySource = [
    ...sorted('/config/sources', ['source_id', 'source_name', 'owner_id'], counts.sources),
    ...pages(`/config/sources?${ofOwner}&`, counts.sources),
    ...pages(`/config/sources?owner_id=${brand}&`, counts.sources / 2),
    ...pages('/config/sources?name=ab&', 500),
    '/config/sources?name=nothing-has-this-name',
    '/config/sources?source_id=source-77',
  ];
  return [
    admin('A13, sources', everySource),
    own('O15, sources of an owner, in pages', [
      ...sorted(`/v1/jackpot/sources?${ofOwner}`, ['source_id', 'source_name', 'owner_id'], counts.sources),
      `/v1/jackpot/sources?${ofOwner}&name=ab`,
      `/v1/jackpot/sources?${ofOwner}&name=nothing-has-this-name`,
    ]),
    admin('A19, instances', [
      ...sorted(
        '/config/instances',
        ['id', 'name', 'owner_id', 'status', 'created', 'last_updated'],
        counts.instances,
      ),
      ...pages(`/config/instances?${ofOwner}&`, counts.instances),
      ...pages('/config/instances?status=Pending&', counts.instances),
      '/config/instances?status=Active',
      '/config/instances?name=ab',
      '/config/instances?name=nothing-has-this-name&sort_field=last_updated',
    ]),
    admin('A33, opt-ins of an instance', [
      ...pages(`${instance}/opt-ins?`, counts.optIns),
      ...pages(`${instance}/opt-ins?opted_in=true&`, counts.optIns),
      `${instance}/opt-ins?opted_in=false`,
    ]),
    own(
      'O5, tickets of a raffle',
      sorted(
        `/v1/raffles/${raffle}/tickets`,
        ['player_id', 'brand_id', 'ticket_count', 'accumulated_cost', 'timestamp_start'],
        tickets,
      ).concat(pages(`/v1/raffles/${raffle}/tickets?`, tickets)),
    ),
    own('O6, O7, tickets of a player', [
      `/v1/raffles/${raffle}/players/ticket-000000000077/tickets?brand_id=${brand}`,
      `/v1/raffles/players/ticket-000000000077/tickets?brand_id=${brand}`,
    ]),
    admin('A26, opt-ins of a player', [`/config/players/player-77/opt-ins?brand_id=${brand}`]),
    own('O10, O11, winners', [
      `/v1/jackpot/instances/${raffle}/winners?brand_id=${brand}&limit=500`,
      `/v1/jackpot/instances/${raffle}/pots/winners?brand_id=${brand}&limit=500`,
    ]),
    admin('A20, A21, winners', [`${instance}/winners?limit=500`, `${instance}/pots/winners?limit=500`]),
    admin('templates', sorted('/config/templates', ['id', 'name', 'owner_id', 'created'], 2)),
    admin('operators, segments', ['/config/operators', '/config/segments']),
    admin('users, service users', ['/config/users', '/config/service-users']),
    admin('audit', ['/config/audit', '/config/audit?limit=500', '/config/audit?limit=500&page=10']),
    admin('approvals', ['/config/approvals']),
    admin('settlements', ['/config/settlements?state=pending', '/config/settlements?state=dead']),
    admin('deliveries', ['/config/deliveries', '/config/deliveries/replays']),
    admin('webhook origins', ['/config/webhook-origins']),
    own('epochs', [`/v1/fairness/instances/${raffle}/epochs?limit=500`]),
  ];
}

function sorted(path: string, fields: readonly string[], count: number): readonly string[] {
  const begin = `${path}${path.includes('?') ? '&' : '?'}`;
  return fields.flatMap((field) =>
    [1, -1].flatMap((direction) => pages(`${begin}sort_field=${field}&sort_direction=${direction}&`, count)),
  );
}

/** First, middle and last page, small and large. */
function pages(begin: string, count: number): readonly string[] {
  return limits.flatMap((limit) => {
    const last = Math.max(0, Math.ceil(count / limit) - 1);
    const places = new Set([0, Math.floor(last / 2), last]);
    return [...places].map((page) => `${begin}page=${page}&limit=${limit}`);
  });
}
