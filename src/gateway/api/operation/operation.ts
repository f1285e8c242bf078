import type { z } from 'zod';
import type { Access } from '../../../access/access.ts';
import type { PlayerTokens } from '../../../access/players/player-tokens.ts';
import type { Action } from '../../../access/rights/authorize.ts';
import type {
  AdministratorPrincipal,
  Anonymous,
  Principal,
  ServicePrincipal,
} from '../../../access/rights/principal.ts';
import type { AuditTrail } from '../../../audit/trail.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import type { KeyTurns } from '../../../lib/key-turns.ts';
import type { Clock, Random, Table } from '../../../ports.ts';
import type {
  Authentication,
  Method,
  OperationDescription,
  Shape,
} from '../../../reference/operation-description.ts';
import type { CsvTable } from '../../base/csv.ts';
import type { Reply } from '../../base/reply.ts';
import type { LaneClient } from '../../lanes/lane-client.ts';
import type { ProviderClient } from '../../providers/provider-client.ts';
import type { AskBooks } from '../services/books.ts';
import type { BulkUploads } from '../services/bulk-uploads.ts';
import type { TicketLimit } from '../services/feed-tickets.ts';
import type { OptInStatuses } from '../services/opt-in-statuses.ts';
import type { PlatformEvents } from '../services/platform-events.ts';
import type { RevealedEpochs } from '../services/published-epochs.ts';
import type { AskDeliveries, AskWalletAddress } from '../services/questions.ts';
import type { Readers } from '../services/readers.ts';
import type { RefusedLogins } from '../services/refused-logins.ts';
import type { AskSimulations } from '../services/simulations.ts';

/**
 * An operation of the HTTP surface: from parsed inputs to a Reply or a PublicError, independent of the
 * server. A bigint in a reply's body is an amount in atoms, written as an exact decimal number.
 */
export interface Operation extends OperationDescription {
  /** false: the change has no entries in the audit trail, because only its author sees it. */
  readonly audited?: false;
  /** Whose the change is, where parameters and body do not say so in the usual members. */
  readonly auditOwners?: (
    request: OperationRequest,
    context: GatewayContext,
  ) => readonly string[] | Promise<readonly string[]>;
  /** Requests that only stop or show something: nothing delays them, so they ask for no second factor. */
  readonly isHarmless?: (request: OperationRequest) => boolean;
  /** Requests without which no account could get a first factor (docs/decisions/0499). */
  readonly isFirstFactor?: (request: OperationRequest, context: GatewayContext) => Promise<boolean>;
  /** What a second administrator needs leave for, where it is not what the first one needs. */
  readonly approverAction?: Action;
  handle(request: OperationRequest, context: GatewayContext): Promise<Reply>;
}

export interface OperationRequest<
  A extends Authentication = Authentication,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
> {
  readonly principal: PrincipalOf<A>;
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
  /** The rows of a body that came as CSV; null or absent: it did not. */
  readonly table?: CsvTable | null;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The caller's network address. */
  readonly address: string;
  /** The caller's token came in the cookie of a page's session. */
  readonly byCookie?: boolean;
}

/** A request that the audit trail has entries of, and that may wait for a second administrator. */
export interface AuditedRequest<
  A extends Authentication = Authentication,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
> extends OperationRequest<A, Params, Query, Body> {
  readonly operation: Operation;
  /** The id that the answer carries. */
  readonly requestId: string;
  /** The body as it was sent. */
  readonly bytes: Uint8Array | null;
  /** Set when a second administrator has approved the request. */
  readonly approved: ApprovedRequest | null;
}

/** What an operation knows of the approval of its request. */
export interface ApprovedRequest {
  readonly id: string;
  /** User name of the second administrator. */
  readonly approvedBy: string;
  /** When it was approved: nothing that is older was made by it. */
  readonly sinceMs: number;
  /** From 1; above it, an earlier execution broke off and may have changed everything or nothing. */
  readonly attempt: number;
  /**
   * The version that the proposal named or the first attempt found under this name, so that a later attempt
   * does not change what has changed since. Stored before the operation writes anything.
   */
  fence(name: string, found: number): Promise<number>;
  /** Moves the fence: what the operation tried to write on top of it was certainly not stored. */
  moveFence(name: string, found: number): Promise<void>;
}

type PrincipalOf<A extends Authentication> = A extends { kind: 'service' }
  ? ServicePrincipal
  : A extends { kind: 'administrator' }
    ? AdministratorPrincipal
    : A extends { kind: 'service_or_player' }
      ? ServicePrincipal | Anonymous
      : A extends { kind: 'service_or_administrator' }
        ? ServicePrincipal | AdministratorPrincipal
        : A extends { kind: 'anyone' }
          ? Principal
          : Anonymous;

export interface GatewayContext {
  readonly directory: ReadModel;
  readonly lanes: LaneClient;
  readonly tables: {
    readonly directory: Table;
    readonly accounts: Table;
    /** Players whom the books forget. */
    readonly forgotten: Table;
  };
  /** Turns of the writers of directory entries. */
  readonly directoryTurns: KeyTurns;
  /** A page of a revealed epoch, from the archive EPOCHS; null where it is not published. Throws LogError. */
  readonly epochDocument: (instance: string, epoch: number, page: number) => Promise<Uint8Array | null>;
  readonly revealedEpochs: RevealedEpochs;
  readonly access: Access;
  readonly audit: AuditTrail;
  /** Those that this gateway serves: an approved request is handed to its operation. */
  readonly operations: readonly Operation[];
  readonly approvalLifetimeMs: number;
  /** Every administrator needs a second factor, whatever the operators say. */
  readonly requiresSecondFactor: boolean;
  readonly walletAddress: AskWalletAddress;
  readonly deliveries: AskDeliveries;
  readonly books: AskBooks;
  readonly simulations: AskSimulations;
  /** Players' tokens, checked by the wallets of their brands. */
  readonly players: PlayerTokens;
  readonly platformEvents: PlatformEvents;
  readonly ticketLimit: TicketLimit;
  readonly optIns: OptInStatuses;
  readonly bulkUploads: BulkUploads;
  readonly readers: Readers;
  readonly refusedLogins: RefusedLogins;
  readonly providers: ProviderClient;
  /** The origin at which browsers reach this system; null: no setting says it. */
  readonly publicUrl: string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly development: boolean;
}

interface Definition<A extends Authentication, Params extends Shape, Query extends Shape, Body extends Shape>
  extends Omit<OperationDescription<A, Params, Query, Body>, 'method' | 'path' | 'output'>,
    Pick<Operation, 'audited' | 'auditOwners' | 'isHarmless' | 'isFirstFactor' | 'approverAction'> {
  readonly route: `${Method} /${string}`;
  /** Absent: the answer has no body. */
  readonly output?: z.ZodType;
}

interface Handled<Request> {
  handle(request: Request, context: GatewayContext): Promise<Reply>;
}

type Administrators = { readonly kind: 'administrator'; readonly action: Action };
type OfAdministrators<M extends Method, P extends Shape, Q extends Shape, B extends Shape> = Omit<
  Definition<Administrators, P, Q, B>,
  'surface' | 'authentication' | 'route'
> & { readonly route: `${M} /${string}` };
/** The request of a change with this input, for handlers of several functions. */
export type ChangeRequest<Params extends Shape, Body extends Shape> = Omit<
  AuditedRequest<Administrators, Params, Shape, Body>,
  'query'
>;
type NoInput = z.ZodType<Record<string, never>>;

/** Infers the handler's request, and forgets the types so that all operations fit one list. */
export function defineOperation<
  const A extends Authentication,
  Params extends Shape = NoInput,
  Query extends Shape = NoInput,
  Body extends Shape = z.ZodType<undefined>,
>({
  route,
  ...definition
}: Definition<A, Params, Query, Body> & Handled<OperationRequest<A, Params, Query, Body>>): Operation {
  const [method, path] = route.split(' ');
  return { output: 'empty', ...definition, method, path } as unknown as Operation;
}

/** A GET for administrators with a role that allows the action. */
export function defineRead<
  Params extends Shape = NoInput,
  Query extends Shape = NoInput,
  Body extends Shape = z.ZodType<undefined>,
>(
  action: Action,
  definition: OfAdministrators<'GET', Params, Query, Body> &
    Handled<OperationRequest<Administrators, Params, Query, Body>>,
): Operation {
  const definedBy = { surface: 'admin', authentication: { kind: 'administrator', action } } as const;
  return defineOperation({ ...definition, ...definedBy } as unknown as Parameters<typeof defineOperation>[0]);
}

/** A change by administrators with a role that allows the action. */
export function defineChange<
  Params extends Shape = NoInput,
  Query extends Shape = NoInput,
  Body extends Shape = z.ZodType<undefined>,
>(
  action: Action,
  definition: OfAdministrators<Exclude<Method, 'GET'>, Params, Query, Body> &
    Handled<AuditedRequest<Administrators, Params, Query, Body>>,
): Operation {
  return defineRead(action, definition as unknown as Parameters<typeof defineRead>[1]);
}

/**
 * The same operation below /config, for administrators alone: there the session of a page counts
 * (docs/rules/http.md "Sessions of pages").
 */
export function belowConfig(operation: Operation): Operation {
  const { authentication, id, name, path } = operation;
  if (authentication.kind !== 'service_or_administrator') throw new Error(`${id} is not of both`);
  return {
    ...operation,
    id: `config.${id}`,
    name: `${name} (administrators)`,
    path: path.replace('/v1/', '/config/'),
    authentication: { kind: 'administrator', action: authentication.action },
  };
}
