import type { ErrorCode } from '../../contracts/errors.ts';
import type { Replica } from '../../directory/replica.ts';
import type { Credential } from '../connection.ts';
import type { Credentials } from '../credentials.ts';
import type { Scope } from '../scope.ts';

/** What a client brings to an upgrade, read before anything is awaited. */
export interface UpgradeInput {
  /** The query without its `?`. */
  readonly query: string;
}

export interface FeedPorts {
  readonly replica: Replica;
  readonly credentials: Credentials;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly credential: Credential; readonly scope: Scope }
  | { readonly kind: 'refused'; readonly code: ErrorCode };

/** One feed is one file and one line in feeds/index.ts. */
export interface Feed {
  readonly id: string;
  readonly path: string;
  admit(ports: FeedPorts, input: UpgradeInput): Promise<Admission>;
  /** RefreshTokenRequest: the renewed credential, null when it is refused. */
  refresh(
    ports: FeedPorts,
    current: Credential,
    token: string,
  ): Promise<{ readonly credential: Credential; readonly scope: Scope } | null>;
}
