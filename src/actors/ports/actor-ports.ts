import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import type { Hashing } from '../../lib/hashing.ts';
import type { Steps } from '../../lib/turns.ts';
import type { EngineSettings } from '../../messages/lane-commands.ts';
import type { Bus, Clock, Log, Random } from '../../ports.ts';
import type { AlarmCode } from './alarm-codes.ts';
import type { FollowEpochs, OpenSpoolFile, PageLimit } from './epoch-ports.ts';
import type { OpenJournal } from './journal.ts';
import type { RecoveryReport } from './recovery-report.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import type { Witness } from './witness.ts';

/** What happens in a lane that an operator may want to see: metrics and log lines. */
export interface ActorMonitor {
  applied(lane: number, commands: number, seconds: number): void;
  snapshotStored(lane: number, sequence: number, seconds: number): void;
  recovered(lane: number, report: RecoveryReport): void;
  /** A moment for `applied` and `snapshotStored`; only differences of two mean something. */
  stopwatchSeconds(): number;
  /** A person has to look: the lane stopped, or what it does beside its work failed. */
  alarm(lane: number, code: AlarmCode, message: string): void;
  notice(lane: number, message: string): void;
}

/** The part of it for who only has bad news. */
export type AlarmMonitor = Pick<ActorMonitor, 'alarm'>;

/** Keys that seal seeds of epochs; every host and backup needs them (docs/rules/draws.md "Seed keys"). */
export interface KeyRing {
  /** The key that new seeds are sealed under. */
  readonly currentKeyId: string;
  /** AES-256-GCM: nonce 12 ‖ ciphertext ‖ tag 16. */
  seal(secret: Uint8Array): { readonly keyId: string; readonly sealed: Uint8Array };
  /** @throws KeyRingError where the key is missing or the seal is broken. */
  unseal(keyId: string, sealed: Uint8Array): Uint8Array;
  /** Makes a new key the current one; older keys stay and open what they sealed. */
  rotate(): void;
}

/** Everything through which a lane's host meets the world. */
export interface ActorPorts {
  readonly log: Log;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly hashing: Hashing;
  readonly keyRing: KeyRing;
  readonly snapshots: SnapshotStore;
  readonly openSpoolFile: OpenSpoolFile;
  /** Where epochs are followed and published; default: on this thread. */
  readonly followEpochs?: FollowEpochs;
  readonly witness: Witness;
  readonly openJournal: OpenJournal;
  readonly engines: Engines;
  readonly monitor: ActorMonitor;
}

/** The ports of a component of one lane, with a report of errors that end the lane. */
export interface ComponentPorts extends ActorPorts {
  failed(error: unknown): void;
}

/** Makes engines: an empty one, or one from the chunks of a snapshot. */
export interface Engines {
  create(): LaneEngine;
  restore(chunks: Iterable<Uint8Array>): Steps<LaneEngine>;
}

export interface ActorSettings {
  /** Name of this host and of this life of its process: a restarted process is another one. */
  readonly host: string;
  readonly engine: EngineSettings;
  /** A snapshot is due after this many messages, commands in them, or bytes of the log… */
  readonly snapshotEveryMessages: number;
  readonly snapshotEveryCommands: number;
  readonly snapshotEveryBytes: number;
  /** …after work that a replay needs about this long for… */
  readonly snapshotEveryReplaySeconds: number;
  /** …or when the last one is so old, where any message came since. */
  readonly snapshotEveryMs: number;
  /** But one does not begin sooner after the beginning of the one before. */
  readonly snapshotRestMs: number;
  /** A lane's snapshots are uploaded at most this often. */
  readonly uploadEveryMs: number;
  /** For how long the command log is kept: its oldest daily snapshot is no older. */
  readonly logRetentionMs: number;
  /** A new message may be so far ahead of this host's clock. */
  readonly maximumLogLeadMs: number;
  /** Currency rates that were stored longer ago raise an alarm. */
  readonly rateAgeAlarmMs: number;
  /** The part of each stream of a lane that contributions must leave free for necessary commands. */
  readonly reserveRatio: number;
  /** Where a page of a published epoch ends and the next one begins. */
  readonly epochPage: PageLimit;
}

/**
 * The approximate limit for the events of one message in its OUT record (docs/decisions/0062): about 170
 * shared wins of a hundred players. The last command may exceed it by its own events.
 */
export const maximumMessageBytes = 1024 * 1024;

export const defaultActorSettings = {
  snapshotEveryMessages: 20_000,
  snapshotEveryCommands: 500_000,
  snapshotEveryBytes: 128 * 1024 * 1024,
  snapshotEveryReplaySeconds: 1.5,
  snapshotRestMs: 5_000,
  snapshotEveryMs: 300_000,
  uploadEveryMs: 600_000,
  logRetentionMs: 35 * 86_400_000,
  maximumLogLeadMs: 300_000,
  rateAgeAlarmMs: 3 * 86_400_000,
  reserveRatio: 0.12,
  epochPage: { textBytes: 8 * 1024 * 1024, records: 10_000 },
} as const satisfies Partial<ActorSettings>;

/** How long messages stay in the streams of lanes, by the settings. */
export function logRetentionOf({ streamMaxAgeMs }: { readonly streamMaxAgeMs: number | null }): number {
  return streamMaxAgeMs ?? defaultActorSettings.logRetentionMs;
}
