import type { NatsRole } from './permissions.ts';

/** How a process authenticates at nats-server. */
export type LogCredentials =
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  /** A file with the seed of an nkey. */
  | { readonly kind: 'nkey'; readonly seedFile: string }
  /** A file with a JWT and its seed, as nsc writes it. */
  | { readonly kind: 'credentials'; readonly file: string };

/** TLS towards nats-server. */
export interface LogTls {
  /** Trusted certificates; null: those of the system. */
  readonly caFile: string | null;
  /** The certificate and key of this process, if the server asks for one. */
  readonly certificate: { readonly certFile: string; readonly keyFile: string } | null;
}

/** How a process reaches nats-server, and the properties of the streams that it creates. */
export interface LogSettings {
  /** `nats://host:port` each. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  /** Instead of a user and a password. */
  readonly credentials?: LogCredentials;
  readonly tls?: LogTls;
  /** What this process may do there (roles/permissions.ts); absent: everything. */
  readonly role?: NatsRole;
  /** Copies of every stream and bucket: 1 when embedded, 3 in production. */
  readonly replicas: number;
  /** Names the connections of this process in the server's monitoring. */
  readonly name?: string;
  /**
   * Limits of streams, in force from the next `prepare` on. If absent, a stream keeps its limit and a new one
   * gets the default (docs/decisions/0058).
   */
  readonly maxStreamBytes?: number;
  /** Limit of a lane's outcome records; default: as `maxStreamBytes`. */
  readonly maxOutcomeBytes?: number;
  readonly maxStreamAgeMs?: number;
  readonly maxAuditBytes?: number;
  readonly maxAuditAgeMs?: number;
}
