import type { ErrorCode } from '../../contracts/errors/codes.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import type { CloseReason, Connection } from '../connections/connection.ts';
import type { Credential, FeedCredentials } from '../connections/credentials.ts';
import type { Tickets } from '../connections/tickets.ts';
import type { Hub } from '../publish/hub.ts';
import type { Scope } from '../scope/scope.ts';
import type { Sockets } from '../sockets/sockets.ts';

/** What a client brings to an upgrade, read before anything is awaited. */
export interface UpgradeInput {
  /** The path's inputs in order, as they came. */
  readonly parameters: readonly string[];
  /** The query without its `?`. */
  readonly query: string;
  /** The client's network address. */
  readonly address: string;
}

export interface FeedPorts {
  readonly readModel: ReadModel;
  readonly credentials: FeedCredentials;
  readonly tickets: Pick<Tickets, 'redeem'>;
  readonly sockets: Sockets;
  readonly hub: Hub;
  /** Closes a connection with a reason. */
  close(connection: Connection, reason: CloseReason): void;
  /** A bug of ours that a connection met. */
  alarm(message: string, error: unknown): void;
}

export interface Identified {
  readonly credential: Credential;
  readonly scope: Scope;
  /** The instances that it is bound to; absent: to none. */
  readonly instances?: ReadonlySet<string>;
}

export type Admission =
  | ({ readonly kind: 'admitted' } & Identified)
  /** The client says who it is in its first message. */
  | { readonly kind: 'to_authenticate' }
  | Refused;

export interface Refused {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly retryAfterSeconds?: number;
}

/** One feed is one file and one line in feeds/index.ts. */
export interface Feed {
  readonly id: string;
  /** As the websocket engine matches them, inputs after a colon. */
  readonly paths: readonly string[];
  readonly listens: 'events' | 'status';
  /** Whether the Origin of a page is looked at. */
  readonly checksOrigin: boolean;
  /** Its sockets give way to those of the other feeds. */
  readonly isPublic?: true;
  admit(ports: FeedPorts, input: UpgradeInput): Promise<Admission>;
  /** Takes in one message of a client. null: accepted; otherwise why the socket must be closed. */
  message(ports: FeedPorts, connection: Connection, text: string): CloseReason | null;
}
