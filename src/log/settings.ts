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
  /** Upper limit of each lane's stream; a smaller one is taken where the server has less room. */
  readonly maxStreamBytes?: number;
}
