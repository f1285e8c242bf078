import type { NatsRole } from './roles/permissions.ts';

/** Who a process is at nats-server; each from what its settings name. */
export type LogCredentials =
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  /** A file with the seed of an nkey. */
  | { readonly kind: 'nkey'; readonly seedFile: string }
  /** A file with a JWT and its seed, as nsc writes it. */
  | { readonly kind: 'credentials'; readonly file: string };

/** TLS towards nats-server; null members: not named. */
export interface LogTls {
  /** Whose certificates are trusted; null: those of the system. */
  readonly caFile: string | null;
  /** This process' own certificate and its key, where the server asks for one. */
  readonly certificate: { readonly certFile: string; readonly keyFile: string } | null;
}

/** How a process reaches the log's servers, and how it wants what it creates there. */
export interface LogSettings {
  /** `nats://host:port` each. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  /** Instead of a user and a password. */
  readonly credentials?: LogCredentials;
  readonly tls?: LogTls;
  /** What this process may do there (roles/permissions.ts); without one it is taken to be allowed everything. */
  readonly role?: NatsRole;
  /** Copies of every stream and bucket: 1 when embedded, 3 in production. */
  readonly replicas: number;
  /** Names the connections of this process in the server's monitoring. */
  readonly name?: string;
  /**
   * Limits of streams. One that is named here is in force from the next `prepare` on; where none is, a stream keeps the limit
   * that it has, and a new one gets the default (docs/decisions/0152).
   */
  readonly maxStreamBytes?: number;
  /** Of a lane's outcome records; default: as `maxStreamBytes`. */
  readonly maxOutcomeBytes?: number;
  /** Of all streams of a lane. */
  readonly maxStreamAgeMs?: number;
  readonly maxAuditBytes?: number;
  readonly maxAuditAgeMs?: number;
}
