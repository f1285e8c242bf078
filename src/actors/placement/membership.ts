import type { EngineRange } from '../../jackpot/lane/versions/versions.ts';
import { pause } from '../../lib/pauses.ts';
import { errorText } from '../../log/base/error-text.ts';
import { type Clock, LogError, type Table } from '../../ports.ts';
import { decodeHostRecord, encodeHostRecord, type HostRecord, type HostRecordRow } from './host-record.ts';

/** A host whose record was not renewed for this long is gone. */
const hostLeaseMs = 3_000;
const recordRenewEveryMs = 800;
const firstHoldDownMs = 10_000;
const maxHoldDownMs = 300_000;
/** A record that was unchanged for this long is gone from the bucket too: its host is not expected back. */
const forgetHostMs = 600_000;
/** A host that was settled for this long has no failures any more. */
const forgetFailuresMs = 600_000;
const maxStartDelayMs = 2_000;
const announceAttempts = 5;

interface MembershipPorts {
  readonly table: Table;
  readonly clock: Clock;
  readonly hostId: string;
  readonly life: string;
  readonly engine: EngineRange;
  readonly keys: () => readonly string[];
  /** How often `polled` is called. */
  readonly pollMs: number;
  readonly lanes: () => readonly HostRecordRow[];
  readonly replaced: () => void;
  readonly report: (message: string) => void;
}

interface Peer {
  readonly record: HostRecord;
  silentPolls: number;
}

/** The process that took this host's id over, by its newest record. */
interface Namesake {
  readonly revision: number;
  silentPolls: number;
  /** The other process was silent before, and the table could be read then. */
  isDoubted: boolean;
}

/**
 * This host's record in KV HOSTS, and those of the others. A record is a lease: it is renewed with
 * compare-and-set, and the bucket forgets one that is not. Whether another host lives is counted in polls of
 * this process alone, so neither clocks of others nor a pause of this process count (docs/decisions/0300).
 */
export class Membership {
  readonly #ports: MembershipPorts;
  readonly #peers = new Map<string, Peer>();
  #watch: { stop(): Promise<void> } | null = null;
  #revision = 0;
  #failures = 0;
  #holdDownPolls = 0;
  #settledPolls = 0;
  #pollsToRenewal = 0;
  #renewedAtMs: number | null = null;
  #writing: Promise<void> | null = null;
  #isDirty = false;
  #isLeaving = false;
  /** Set: another process announces itself under this host's id, and this one claims nothing. */
  #namesake: Namesake | null = null;
  #isCurrent = false;
  #stopped = false;

  constructor(ports: MembershipPorts) {
    this.#ports = ports;
  }

  /** Reads the other hosts and announces this one. An outage delays the start only a little. */
  async start(): Promise<void> {
    const current = new Promise<void>((resolve, reject) => {
      this.#ports.table
        .watch({
          entry: (key, value, revision) => this.#take(key, value, revision),
          current: () => {
            this.#isCurrent = true;
            resolve();
          },
        })
        .then((watch) => {
          this.#watch = watch;
        })
        .catch(reject);
    });
    const late = pause(this.#ports.clock, maxStartDelayMs);
    await Promise.race([current, late]);
    await Promise.race([this.announce(), late]);
  }

  get peers(): ReadonlyMap<string, HostRecord> {
    const live = new Map<string, HostRecord>();
    for (const [id, { record, silentPolls }] of this.#peers)
      if (silentPolls * this.#ports.pollMs < hostLeaseMs) live.set(id, record);
    return live;
  }

  /** What it announces of this host. */
  get record(): HostRecord {
    return {
      life: this.#ports.life,
      failures: this.#failures,
      isSettled: this.isSettled,
      isLeaving: this.#isLeaving,
      engine: this.#ports.engine,
      keys: this.#ports.keys(),
      lanes: this.#ports.lanes(),
    };
  }

  /** Other hosts that live, or failed and may come back. null: not all are read yet. */
  get known(): readonly HostRecord[] | null {
    if (!this.#isCurrent) return null;
    const known = [...this.#peers.values()].filter(
      ({ silentPolls }) => silentPolls * this.#ports.pollMs < forgetHostMs,
    );
    return known.map(({ record }) => record);
  }

  /** False until this host has read them all. Hosts from before there were ids of keys are not waited for. */
  othersHaveKey(keyId: string): boolean {
    return this.known?.every(({ keys }) => keys === null || keys.includes(keyId)) ?? false;
  }

  get isSettled(): boolean {
    return this.#holdDownPolls === 0;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  get isReplaced(): boolean {
    return this.#namesake !== null;
  }

  polled(): void {
    for (const peer of this.#peers.values()) peer.silentPolls += 1;
    if (this.#namesake !== null) this.#namesake.silentPolls += 1;
    if (this.#holdDownPolls > 0) {
      this.#holdDownPolls -= 1;
      if (this.#holdDownPolls === 0) this.#isDirty = true;
    } else this.#settledPolls += 1;
    if (this.#settledPolls * this.#ports.pollMs >= forgetFailuresMs) this.#failures = 0;
    this.#pollsToRenewal -= 1;
    if (this.#pollsToRenewal <= 0 || this.#isDirty) this.#announceSoon();
  }

  announce(): Promise<void> {
    this.#isDirty = true;
    this.#announceSoon();
    return this.#writing ?? Promise.resolve();
  }

  /** Others take this host's lanes over from now on. */
  leave(): Promise<void> {
    this.#isLeaving = true;
    return this.announce();
  }

  /** Removes the record: this end is no failure. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#writing;
    await this.#watch?.stop();
    if (this.isReplaced || this.#revision === 0) return;
    try {
      await this.#ports.table.remove(this.#ports.hostId, this.#revision);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
    }
  }

  #announceSoon(): void {
    if (this.#writing !== null || this.#stopped || this.#namesakeLives()) return;
    this.#isDirty = false;
    this.#pollsToRenewal = recordRenewEveryMs / this.#ports.pollMs;
    this.#writing = this.#renew()
      .catch((error) => {
        if (!(error instanceof LogError)) this.#ports.report(errorText(error));
      })
      .finally(() => {
        this.#writing = null;
      });
  }

  /** The process that is left serves: the other one may leave, or end without a word. */
  #namesakeLives(): boolean {
    return this.#namesake !== null && this.#namesake.silentPolls * this.#ports.pollMs < hostLeaseMs;
  }

  /** After an outage, in which no record can be renewed, the other process has another chance. */
  #isAlive(revision: number): boolean {
    return revision !== this.#namesake?.revision || !this.#namesake.isDoubted;
  }

  async #renew(): Promise<void> {
    for (let left = announceAttempts; left > 0; left -= 1) {
      if (this.#revision === 0 && !(await this.#adopt())) return;
      const beganMs = this.#ports.clock.elapsedMs();
      this.#judgeDelay(beganMs);
      const { table, hostId } = this.#ports;
      const revision = await table.put(hostId, encodeHostRecord(this.record), this.#revision);
      if (revision !== null) {
        this.#revision = revision;
        this.#renewedAtMs = beganMs;
        this.#namesake = null;
        return;
      }
      this.#revision = 0;
    }
  }

  /** Adopts the record of a former life or a dead namesake; false: another process has this one's id. */
  async #adopt(): Promise<boolean> {
    const { table, hostId, life, replaced } = this.#ports;
    const present = await table.get(hostId);
    const record = present === null ? null : decodeHostRecord(present.value);
    const isFirst = this.#renewedAtMs === null;
    const isForeign = record !== null && record.life !== life;
    if (present !== null && isForeign && !isFirst && this.#isAlive(present.revision)) {
      if (this.#namesake === null) replaced();
      const isDoubted = present.revision === this.#namesake?.revision;
      this.#namesake = { revision: present.revision, silentPolls: 0, isDoubted };
      return false;
    }
    if (isForeign) this.#failed(record.isLeaving ? 0 : record.failures + 1);
    this.#revision = present?.revision ?? 0;
    return true;
  }

  /** A host that did not renew in time was gone for the others, whatever kept it. */
  #judgeDelay(nowMs: number): void {
    if (this.#renewedAtMs === null || nowMs - this.#renewedAtMs < hostLeaseMs) return;
    this.#failed(this.#failures + 1);
  }

  #failed(failures: number): void {
    this.#failures = failures;
    this.#settledPolls = 0;
    const holdDownMs =
      failures === 0 ? 0 : Math.min(maxHoldDownMs, firstHoldDownMs * 2 ** Math.min(10, failures - 1));
    this.#holdDownPolls = Math.ceil(holdDownMs / this.#ports.pollMs);
  }

  #take(key: string, value: Uint8Array | null, revision: number): void {
    if (key === this.#ports.hostId) {
      // The watch may be behind the reading that found it.
      if (this.#namesake !== null && revision > this.#namesake.revision)
        this.#namesake = {
          revision,
          silentPolls: value === null ? Number.POSITIVE_INFINITY : 0,
          isDoubted: false,
        };
      return;
    }
    const record = value === null ? null : decodeHostRecord(value);
    if (record === null) this.#peers.delete(key);
    else this.#peers.set(key, { record, silentPolls: 0 });
  }
}
