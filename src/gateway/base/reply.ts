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
  /** The answer of an operation with `limits.download`. */
  readonly download?: Download;
}

/** A body that is made while its caller reads it. */
export interface Download {
  readonly mediaType: string;
  /** As a file. */
  readonly name: string;
  /** Who has it: a party may have some at a time. */
  readonly party: string;
  readonly first: DownloadPart;
  more(next: string): Promise<DownloadPart>;
}

interface DownloadPart {
  readonly text: string;
  /** Where the next part begins; null: it is the last one. */
  readonly next: string | null;
}
