import type { AdministratorRole } from '../../../../src/contracts/accounts/users.ts';
import { operatorOf } from '../../../../src/contracts/fields/identifiers.ts';
import type { World } from '../../support/administration.ts';

/** What a request can name. A row says which of them its route looks at. */
export interface Ids {
  /** A brand path or an operator's id, where the route takes either. */
  readonly owner: string;
  readonly operator: string;
  /** A brand path. */
  readonly brand: string;
  /** Active, with the pot `gold`. */
  readonly instance: string;
  /** Pending. */
  readonly otherInstance: string;
  readonly source: string;
  readonly segment: string;
  /** The owner of the template `three`. */
  readonly templateOwner: string;
  readonly serviceUser: string;
  readonly administrator: string;
  /** Another text in every request, for what a request creates. */
  readonly fresh: string;
}
export type Named = Exclude<keyof Ids, 'fresh'>;

/** A route's row in the matrix: who may call it, what it names, and a request that is right but for its ids. */
export interface Row {
  /**
   * Administrators: the roles that may. `services`: service tokens. `services and players`: frontends with a player's
   * token, too. `anyone`: no credential.
   */
  readonly may: readonly AdministratorRole[] | 'services' | 'services and players' | 'anyone';
  /** What must be the caller's. One after the other becomes a sibling's, a stranger's and a missing one. */
  readonly names?: readonly Named[];
  /** Only for administrators of the whole system; `forbidden` to all others. */
  readonly system?: true;
  /** Services may as well, with a right that those of the matrix do not have. */
  readonly services?: true;
  /** The right that a service needs; all others are refused. */
  readonly right?: 'reports';
  /** A foreign thing is no 404 but a failed item of the answer. */
  readonly batch?: true;
  /** Its request is a line of the contribution stream, and the result of the line counts as the answer. */
  readonly isLine?: true;
  readonly query?: (ids: Ids) => Readonly<Record<string, string>>;
  readonly body?: (ids: Ids, caller: Caller) => unknown;
  /** Headers that the request needs beside the caller's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It ends the token with which it is asked: each caller asks as an account of its own. */
  readonly endsTokens?: true;
  /** Path inputs other than those of `pathInput`. */
  readonly path?: (ids: Ids) => Readonly<Record<string, string>>;
  /** Statuses of a request whose ids are all the caller's, where it is not always 2xx. */
  readonly own?: readonly number[];
  /** The code for a foreign id, where it is not that of its kind. */
  readonly codes?: Partial<Record<Named, string>>;
  /** Makes what a successful request uses up. */
  readonly prepare?: (world: World, ids: Ids) => Promise<Partial<Ids>>;
}

export interface Caller {
  readonly username: string;
}

/** By method and path, as in the list of operations. */
export type Rows = Readonly<Record<string, Row>>;

export const everyRole = ['viewer', 'support', 'config', 'finance', 'security', 'auditor'] as const;
export const config = ['config'] as const;
export const finance = ['finance'] as const;
export const security = ['security'] as const;

/** The path of a request. */
export function pathOf(template: string, row: Row, ids: Ids): string {
  const more = row.path?.(ids) ?? {};
  const path = template.replace(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(more[name] ?? pathInput(name, row, ids)),
  );
  const query = new URLSearchParams(row.query?.(ids) ?? {}).toString();
  return query === '' ? path : `${path}?${query}`;
}

function pathInput(name: string, { names = [] }: Row, ids: Ids): string {
  switch (name) {
    case 'instance_id':
      return ids.instance;
    case 'brand_id':
      return ids.brand;
    case 'operator_id':
      return names.includes('operator') ? ids.operator : operatorOf(ids.brand);
    case 'source_id':
      return ids.source;
    case 'player_id':
      return 'player';
    case 'pot_id':
      return 'gold';
    case 'epoch':
      return '0';
    default:
      throw new Error(`A row has to say what {${name}} of its path is.`);
  }
}
