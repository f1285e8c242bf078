import type { z } from 'zod';
import type { Access } from '../access/access.ts';
import type { Action } from '../access/authorize.ts';
import type { PlayerTokens } from '../access/player-tokens.ts';
import type { AdministratorPrincipal, Anonymous, Principal, ServicePrincipal } from '../access/principal.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { ReadModel } from '../directory/read-model.ts';
import type { KeyTurns } from '../lib/key-turns.ts';
import type { Clock, Random, Table } from '../ports.ts';
import type { ApprovedRequest } from './approvals/approved-request.ts';
import type { RefusedLogins } from './audit/refused-logins.ts';
import type { CsvFormat, CsvTable } from './body/csv.ts';
import type { AskDeliveries } from './deliveries/ask.ts';
import type { LaneClient } from './lane-client.ts';
import type { PlatformEvents } from './platform-events.ts';
import type { BulkUploads } from './players/bulk-uploads.ts';
import type { OptInStatuses } from './players/opt-in-statuses.ts';
import type { Readers } from './readers.ts';
import type { RevealedEpochs } from './revealed-epochs.ts';
import type { AskWalletAddress } from './wallet-address.ts';

/**
 * An operation of the HTTP surface. It knows nothing of the server that mounts it: it is given parsed inputs and
 * gives back a Reply, or throws a PublicError. Inputs are strict objects; in bodies null and absent are the same. A zod
 * issue whose message is an error code is answered with that code; other ones with invalid_request in a body,
 * invalid_parameter in path and query. In a reply's body a bigint is an amount in atoms, written as an exact decimal number.
 */
export interface Operation<
  A extends Authentication = Authentication,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
> {
  /** Its number (`O8`, `A3`; docs/status.md "The numbers"), or a name where it has none (`templates.list`). */
  readonly id: string;
  readonly name: string;
  readonly method: Method;
  /** Inputs in braces: `/v1/jackpot/instances/{instance_id}/contributions`. */
  readonly path: string;
  readonly surface: Surface;
  readonly authentication: A;
  readonly input: {
    readonly params?: Params;
    readonly query?: Query;
    /** Where it is missing the route takes no body. */
    readonly body?: Body;
    /** Reads large plain bodies faster than the shape, with the same result; null: the shape decides. */
    readonly plainBody?: (value: unknown) => Readonly<Record<string, unknown>> | null;
    /** It takes `text/csv` as well: then the handler gets a table, and no body. */
    readonly csv?: CsvFormat;
  };
  readonly output: z.ZodType | 'empty';
  /** Status of success, where it is not 200 with a body and 204 without one. */
  readonly status?: 201 | 202;
  /**
   * Statuses of its own refusals. Those of every request with its method, caller and limits follow from these
   * (reference/refusals.ts).
   */
  readonly refusals?: readonly OwnRefusal[];
  /** Headers that it reads beside the caller's credential. */
  readonly headers?: readonly RequestHeader[];
  /** Headers that its answer may carry beside those of every answer. */
  readonly answerHeaders?: readonly AnswerHeader[];
  readonly limits?: OperationLimits;
  /** It reads, or repeating it does no harm: too late it is `overloaded`, never an unknown outcome. GETs are. */
  readonly isRepeatable?: true;
  /**
   * Every operation of an administrator that is no GET has entries in the audit trail. false: it changes nothing that
   * anybody else sees.
   */
  readonly audited?: false;
  /** Whose the change is, where parameters and body do not say so in the usual members. */
  readonly auditOwners?: (
    request: OperationRequest,
    context: GatewayContext,
  ) => readonly string[] | Promise<readonly string[]>;
  /** It may answer 202 and wait for a second administrator (docs/rules/approvals.md "Changes"). */
  readonly fourEyes?: true;
  /** The body of a 202: the change has begun, and goes on by itself. */
  readonly underWay?: z.ZodType;
  handle(request: OperationRequest<A, Params, Query, Body>, context: GatewayContext): Promise<Reply>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The costs and risks of a stored configuration, in words; the lanes about which a list has nothing (new); the time
 * at which a list of the audit trail stopped looking.
 */
type AnswerHeader = 'X-Configuration-Warnings' | 'X-Incomplete' | 'X-Unread-From';

/** What only some operations answer. */
type OwnRefusal = 401 | 403 | 404 | 409 | 422 | 429;

export type RequestHeader = 'Idempotency-Key' | 'If-Match' | 'X-Player-Token';

/** Which part of the surface it is; public GETs (`frontend`, `public`) have a rate limit. */
type Surface = 'operator' | 'frontend' | 'admin' | 'public';

export type Authentication =
  | { readonly kind: 'none' }
  /** A service JWT of the audience `operator`. */
  | { readonly kind: 'service' }
  /**
   * A service JWT, or a frontend that shows a player's token: the handler has the wallet check it (tokenPlayer).
   * `optional`: it may also show none; then the handler says what is public.
   */
  | { readonly kind: 'service_or_player'; readonly optional?: true }
  /** Anyone, who is known by a credential that is shown: a JWT of a service or an administrator, a player's token. */
  | { readonly kind: 'anyone' }
  /** A service JWT, or an administrator's with a role that allows the action; the handler asks `authorize` about both. */
  | { readonly kind: 'service_or_administrator'; readonly action: Action }
  /** An administrator's JWT with a role that allows the action; the handler checks the owner with `authorize`. */
  | { readonly kind: 'administrator'; readonly action: Action };

interface OperationLimits {
  /** Default 64 KiB. */
  readonly bodyBytes?: number;
  /** Contribution routes: the fast validator, and its amounts judged after existence. */
  readonly contribution?: boolean;
  /** The requests of an operator are counted. */
  readonly perOperator?: boolean;
  /** An administrator's contribution, on the common way: its amounts are judged and its answers described as a service's. */
  readonly contributionByHand?: boolean;
  /** Large bodies are work for every lane and every role: fewer of them are taken. */
  readonly rateTable?: boolean;
  /** Bodies of many items: the fast validator. */
  readonly bulk?: boolean;
  /** Its body and its answer are lines without an end (http/stream-route.ts). */
  readonly stream?: boolean;
  /** Lookups from memory that are asked for most: the fast validator, and no timer of their own. */
  readonly lookup?: boolean;
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
  /** Of a body that came as CSV; null or absent: it did not. */
  readonly table?: CsvTable | null;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The caller's network address. */
  readonly address: string;
  /** Of the answer. Audited operations only. */
  readonly requestId: string;
  /** This operation. Audited operations only. */
  readonly operation: Operation | null;
  /** The body as it was sent. Audited operations only. */
  readonly bytes: Uint8Array | null;
  /** Set when a second administrator has approved the request. Audited operations only. */
  readonly approved: ApprovedRequest | null;
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

export interface Reply {
  readonly status: number;
  /** Flat [name, value, …], as it goes to the wire. */
  readonly headers?: readonly string[];
  /** Written with writeJson; absent: no body. */
  readonly body?: unknown;
  /** A body that is written already; wins over `body`. */
  readonly text?: string;
  /** The same in bytes, encoded as the headers say; wins over both. */
  readonly bytes?: Buffer;
}

export interface GatewayContext {
  readonly directory: ReadModel;
  readonly lanes: LaneClient;
  readonly tables: { readonly directory: Table; readonly accounts: Table };
  /** Of those who write entries of the directory. */
  readonly directoryTurns: KeyTurns;
  /** A page of a revealed epoch, from the archive EPOCHS; null where it is not published. Throws LogError. */
  readonly epochDocument: (instance: string, epoch: number, page: number) => Promise<Uint8Array | null>;
  readonly revealedEpochs: RevealedEpochs;
  readonly access: Access;
  readonly audit: AuditTrail;
  /** Those that this gateway serves: an approved request is handed to its operation. */
  readonly operations: readonly Operation[];
  readonly approvalLifetimeMs: number;
  readonly walletAddress: AskWalletAddress;
  readonly deliveries: AskDeliveries;
  /** Players' tokens, checked by the wallets of their brands. */
  readonly players: PlayerTokens;
  readonly platformEvents: PlatformEvents;
  readonly optIns: OptInStatuses;
  readonly bulkUploads: BulkUploads;
  readonly readers: Readers;
  readonly refusedLogins: RefusedLogins;
  readonly clock: Clock;
  readonly random: Random;
  readonly development: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of any zod schema; its output is inferred where it is used.
type Shape = z.ZodType<any>;

/** Infers the handler's request from the schemas, and forgets the types so that all operations fit one list. */
export function defineOperation<
  const A extends Authentication,
  Params extends Shape = z.ZodType<Record<string, never>>,
  Query extends Shape = z.ZodType<Record<string, never>>,
  Body extends Shape = z.ZodType<undefined>,
>(operation: Operation<A, Params, Query, Body>): Operation {
  return operation as unknown as Operation;
}
