import { booked } from '../booked.ts';
import { everyRole, type Ids, type Named, type Row, type Rows } from '../row.ts';

interface Report {
  readonly path: string;
  readonly names: readonly Named[];
  readonly query: (ids: Ids) => Readonly<Record<string, string>>;
}

const listed: Omit<Report, 'path'> = {
  names: ['owner', 'brand', 'instance'],
  query: ({ owner, brand, instance }) => ({ owner_id: owner, brand_id: brand, instance_id: instance }),
};

const described: readonly Report[] = [
  ...['contributions', 'wins', 'payments'].map((path) => ({ path: `/${path}`, ...listed })),
  { path: '/contributions/{contribution_id}', names: [], query: () => ({}) },
  { path: '/players/{player_id}', names: ['brand'], query: ({ brand }) => ({ brand_id: brand }) },
  {
    path: '/search',
    names: ['owner', 'brand'],
    query: ({ owner, brand }) => ({ owner_id: owner, brand_id: brand, q: booked.player }),
  },
  { path: '/reports/significant-events', ...listed },
  {
    path: '/exports/{table}',
    ...listed,
  },
  {
    path: '/reports/daily',
    names: listed.names,
    query: (ids) => ({
      ...{ ...listed.query(ids), from: booked.day, to: booked.day },
      group_by: 'day,operator,brand,instance',
    }),
  },
];

const ofInstance: Row = { may: everyRole, names: ['instance'] };

/** What the books answer to administrators, and to services with the right. */
export const reports: Rows = Object.fromEntries([
  ['GET /config/jackpot_instances/{instance_id}/at', ofInstance],
  ['GET /config/jackpot_instances/{instance_id}/history', ofInstance],
  ...described.flatMap(({ path, names, query }): [string, Row][] => {
    const row = {
      names,
      query,
      path: () => ({
        ...{ contribution_id: booked.contribution, player_id: booked.player, table: 'contributions' },
      }),
    };
    return [
      [`GET /config${path}`, { ...row, may: everyRole }],
      [`GET /v1/reports${path.replace(/^\/reports/, '')}`, { ...row, may: 'services', right: 'reports' }],
    ];
  }),
]);
