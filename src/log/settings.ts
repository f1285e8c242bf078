/** How a process reaches the log's servers, and how it wants what it creates there. */
export interface LogSettings {
  /** `nats://host:port` each. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  /** Copies of every stream and bucket: 1 when embedded, 3 in production. */
  readonly replicas: number;
  /** Names the connections of this process in the server's monitoring. */
  readonly name?: string;
  /**
   * Limits of streams. One that is named here is in force from the next `prepare` on; where none is, a stream keeps the limit
   * that it has, and a new one gets the default (docs/decisions/0064).
   */
  readonly maxStreamBytes?: number;
  /** Of a lane's outcome records; default: as `maxStreamBytes`. */
  readonly maxOutcomeBytes?: number;
  /** Of all streams of a lane. */
  readonly maxStreamAgeMs?: number;
  readonly maxAuditBytes?: number;
  readonly maxAuditAgeMs?: number;
}
