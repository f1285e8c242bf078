import type { Rows } from '../row.ts';
import { access } from './access.ts';
import { instances } from './instances.ts';
import { operator } from './operator.ts';
import { owners } from './owners.ts';
import { reports } from './reports.ts';
import { system } from './system.ts';

/** A row for each route. */
export const rows: Rows = { ...access, ...operator, ...owners, ...instances, ...reports, ...system };
