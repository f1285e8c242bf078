import type { EngineRange } from '../../jackpot/lane/versions/versions.ts';
import type { HostedLaneStatus } from '../lane/lane-status.ts';

/** How a host has a lane: `o` owns it, `w` follows it and is warm, `f` is still catching up, `h` halted. */
export type HostDuty = 'o' | 'w' | 'f' | 'h';

export interface HostRecordRow {
  readonly lane: number;
  readonly duty: HostDuty;
  readonly term: number;
  readonly appliedSequence: number;
  /** The version of the engine that the lane has. */
  readonly engineVersion: number;
}

const firstVersion = 1;

/** What a host announces of itself in KV HOSTS, under its id. */
export interface HostRecord {
  /** Another one in each life of the process. */
  readonly life: string;
  /** Failures in a row: lives that ended without leaving, and renewals that came too late. */
  readonly failures: number;
  readonly isSettled: boolean;
  readonly isLeaving: boolean;
  readonly engine: EngineRange;
  /** Ids of the draw keys that the host has; null: it does not say. */
  readonly keys: readonly string[] | null;
  readonly lanes: readonly HostRecordRow[];
}

/** The bytes of a record, as JSON with one short row for each lane. */
export function encodeHostRecord(record: HostRecord): Uint8Array {
  const { life, failures, isSettled, isLeaving } = record;
  const lanes = record.lanes.map(({ lane, duty, term, appliedSequence, engineVersion }) => [
    lane,
    duty,
    term,
    appliedSequence,
    engineVersion,
  ]);
  const engine = [record.engine.oldest, record.engine.newest];
  const members = {
    v: 1,
    life,
    failures,
    settled: isSettled,
    leaving: isLeaving,
    engine,
    keys: record.keys,
    lanes,
  };
  return new TextEncoder().encode(JSON.stringify(members));
}

/** null: not a record of this version. */
export function decodeHostRecord(bytes: Uint8Array): HostRecord | null {
  try {
    const { v, life, failures, settled, leaving, engine, keys, lanes } = JSON.parse(
      new TextDecoder().decode(bytes),
    );
    if (v !== 1 || typeof life !== 'string' || !Number.isInteger(failures) || !Array.isArray(lanes))
      return null;
    return {
      life,
      failures,
      isSettled: settled === true,
      isLeaving: leaving === true,
      engine: engineRange(engine),
      keys: Array.isArray(keys) ? keys.map(String) : null,
      lanes: lanes.map(([lane, duty, term, appliedSequence, engineVersion = firstVersion]) => ({
        lane,
        duty,
        term,
        appliedSequence,
        engineVersion,
      })),
    };
  } catch {
    return null;
  }
}

/** Hosts from before there were upgrades name no versions: they run the first one. */
function engineRange(range: unknown): EngineRange {
  const [oldest, newest] = Array.isArray(range) ? range : [];
  return Number.isSafeInteger(oldest) && Number.isSafeInteger(newest)
    ? { oldest, newest }
    : { oldest: firstVersion, newest: firstVersion };
}

/** Whether a text can be the id of a host: 1 to 64 letters, digits, `_` or `-`. */
export function isHostId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/** The name under which a life of a host claims lanes. */
export function claimName(hostId: string, life: string): string {
  return `${hostId}.${life}`;
}

/** The name of the process whose lane claimed under this name: each life of the lane has another one. */
export function processOf(name: string): string {
  return name.replace(/-[0-9]+$/, '');
}

/** The id of the host that claimed a lane under this name. */
export function hostIdOf(name: string): string {
  const end = name.indexOf('.');
  return end === -1 ? name : name.slice(0, end);
}

/** What the record says of a lane. */
export function recordRow(status: HostedLaneStatus): HostRecordRow {
  const { lane, ownership, halted, caughtUp, term, appliedSequence, engineVersion } = status;
  const following: HostDuty = caughtUp ? 'w' : 'f';
  const duty: HostDuty = halted ? 'h' : ownership === 'owning' ? 'o' : following;
  return { lane, duty, term, appliedSequence, engineVersion };
}
