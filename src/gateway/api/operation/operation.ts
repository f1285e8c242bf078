import type { z } from 'zod';
import type { Access } from '../../../access/access.ts';
import type { PlayerTokens } from '../../../access/players/player-tokens.ts';
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
  OperationDescription,
  Shape,
} from '../../../reference/operation-description.ts';
import type { CsvTable } from '../../base/csv.ts';
import type { Reply } from '../../base/reply.ts';
import type { LaneClient } from '../../lanes/lane-client.ts';
import type { AskDeliveries } from '../services/ask-deliveries.ts';
import type { BulkUploads } from '../services/bulk-uploads.ts';
import type { OptInStatuses } from '../services/opt-in-statuses.ts';
import type { PlatformEvents } from '../services/platform-events.ts';
import type { Readers } from '../services/readers.ts';
import type { RefusedLogins } from '../services/refused-logins.ts';
import type { RevealedEpochs } from '../services/revealed-epochs.ts';
import type { AskWalletAddress } from '../services/wallet-address.ts';
import type { ApprovedRequest } from './approved-request.ts';

/**
 * An operation of the HTTP surface. It knows nothing of the server that mounts it: it is given parsed inputs and gives back a Reply, or
 * throws a PublicError. In a reply's body a bigint is an amount in atoms, written as an exact decimal number.
 */
export interface Operation<
  A extends Authentication = Authentication,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
> extends OperationDescription<A, Params, Query, Body> {
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
  handle(request: OperationRequest<A, Params, Query, Body>, context: GatewayContext): Promise<Reply>;
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

/** Infers the handler's request from the schemas, and forgets the types so that all operations fit one list. */
export function defineOperation<
  const A extends Authentication,
  Params extends Shape = z.ZodType<Record<string, never>>,
  Query extends Shape = z.ZodType<Record<string, never>>,
  Body extends Shape = z.ZodType<undefined>,
>(operation: Operation<A, Params, Query, Body>): Operation {
  return operation as unknown as Operation;
}
