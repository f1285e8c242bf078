/** What a page holds of groups. A group is never cut: one that is larger is alone on its page. */
export interface PageLimit {
  readonly textBytes: number;
  readonly records: number;
}

/** A file without a name, which is gone with its process. */
export interface SpoolFile {
  write(bytes: Uint8Array, position: number): Promise<void>;
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Opens an empty one. Throws LogError `unavailable` where the disk refuses; so do reads and writes. */
export type OpenSpoolFile = (lane: number) => Promise<SpoolFile>;

/** What a replay publishes, and from where on. */
export interface EpochPlan {
  readonly lane: number;
  /** The first message of a draw that may have to be published. */
  readonly first: number;
  /** Epochs without a record: the replay begins before all of their draws. */
  readonly unknown: readonly { readonly instance: string; readonly epoch: number }[];
  readonly pageLimit: PageLimit;
}

export interface FollowingEvents {
  published(instance: string, epoch: number): void;
  failed(instance: string, epoch: number, error: unknown): void;
  recorded?(sequence: number): void;
  /** How far the replay is behind the lane. Called for each message until it has caught up. */
  fellBehind(messages: number): void;
}

/** A replay that publishes epochs and goes on at the log's end. */
export interface EpochFollowing {
  /** Rejects with what ended it; resolves after stop(). */
  readonly done: Promise<void>;
  /** The last message that it has recorded; 0 before the first. */
  recorded(): number;
  stop(): void;
}

/** Begins one. `applied`: the lane's last applied message; the replay is never ahead of it. */
export type FollowEpochs = (
  plan: EpochPlan,
  applied: () => number,
  events: FollowingEvents,
) => EpochFollowing;
