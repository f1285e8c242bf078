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
