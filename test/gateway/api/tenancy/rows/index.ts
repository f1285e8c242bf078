import type { Rows } from '../row.ts';
import { access } from './access.ts';
import { instances } from './instances.ts';
import { operator } from './operator.ts';
import { owners } from './owners.ts';
import { reports } from './reports.ts';
import { system } from './system.ts';

/** Administrators' routes below /config of what services may as well. */
const belowConfig = Object.entries(system)
  .filter(([route]) => / \/v1\/(?:webhooks|cors)\//.test(route))
  .map(([route, { services: _, ...row }]) => [route.replace('/v1/', '/config/'), row]);

/** A row for each route. */
export const rows: Rows = {
  ...{ ...access, ...operator, ...owners, ...instances, ...reports, ...system },
  ...Object.fromEntries(belowConfig),
};
