import { type FSWatcher, readFileSync, watch, writeSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { processTree } from './processor-time.ts';

/** What kept a system from answering, and when. Milliseconds, `fromMs` of the Unix epoch. */
export interface Cause {
  /**
   * `gc` and `loop`: of the process `of`; `core`: it was ready to run and had no core; `disk`: a probe's
   * fsync beside the log; `steal`: the hypervisor took processor time; `machine`: even an idle process ran
   * late; `snapshot` and `epoch`: work of the actors.
   */
  readonly kind: 'gc' | 'loop' | 'core' | 'disk' | 'steal' | 'machine' | 'snapshot' | 'epoch';
  readonly of: string;
  readonly fromMs: number;
  readonly durationMs: number;
}

const sampleMs = 20;
const minDiskMs = 5;
const minLateMs = 8;
const minCoreMs = 8;
const jiffyMs = 10;
const stealField = 8;
const probeBytes = Buffer.alloc(4096);
/** Limit for each kind; a run of half an hour on a bad machine stays below it. */
const maxCauses = 200_000;

/**
 * Watches the machine and the files of a system, from the process of the bench, which has nothing else to do
 * meanwhile.
 */
export class HostWatch {
  readonly causes: Cause[] = [];
  readonly #directory: string;
  readonly #processes: readonly { readonly pid: number; readonly name: string }[];
  readonly #waitedNs = new Map<number, number>();
  readonly #watchers: FSWatcher[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #probe: FileHandle;
  readonly #lanes = new Map<string, number>();
  #syncing: Promise<void> | null = null;
  #expected = performance.now() + sampleMs;
  #steal = stealMs();

  /**
   * `directory`: where the log is, and on the same disk a probe. `snapshots`: the directories of lanes'
   * snapshots.
   */
  static async start(rootPid: number, directory: string, snapshots: readonly string[]): Promise<HostWatch> {
    const probe = await open(join(directory, 'sync-probe'), 'w');
    return new HostWatch(rootPid, directory, snapshots, probe);
  }

  private constructor(rootPid: number, directory: string, snapshots: readonly string[], probe: FileHandle) {
    this.#directory = directory;
    this.#processes = processTree(rootPid);
    this.#probe = probe;
    for (const path of snapshots)
      this.#watchers.push(watch(path, (_, file) => this.#snapshotFile(path, file ?? '')));
    this.#timer = setInterval(() => this.#sample(), sampleMs);
  }

  /** Processes of the system by their pids. */
  get names(): ReadonlyMap<number, string> {
    return new Map(this.#processes.map(({ pid, name }) => [pid, name]));
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    await this.#syncing;
    await this.#probe.close();
    await rm(join(this.#directory, 'sync-probe'), { force: true });
  }

  #sample(): void {
    const now = performance.now();
    const lateMs = now - this.#expected;
    if (lateMs >= minLateMs) this.#note('machine', '', this.#expected, lateMs);
    const sinceMs = sampleMs + lateMs;
    this.#expected = now + sampleMs;
    const steal = stealMs();
    if (steal > this.#steal) this.#note('steal', '', now - sinceMs, steal - this.#steal);
    this.#steal = steal;
    for (const { pid, name } of this.#processes) {
      // The first of many threads says nothing of nats-server.
      if (name === 'nats-server') continue;
      const waitedNs = waitedNsOf(pid);
      const before = this.#waitedNs.get(pid) ?? waitedNs;
      this.#waitedNs.set(pid, waitedNs);
      const coreMs = (waitedNs - before) / 1e6;
      if (coreMs >= minCoreMs) this.#note('core', name, now - sinceMs, coreMs);
    }
    this.#syncing ??= this.#sync().finally(() => {
      this.#syncing = null;
    });
  }

  /** As nats-server does for each message: append, sync. */
  async #sync(): Promise<void> {
    writeSync(this.#probe.fd, probeBytes);
    const began = performance.now();
    await this.#probe.datasync();
    const durationMs = performance.now() - began;
    if (durationMs >= minDiskMs) this.#note('disk', 'fsync', began, durationMs);
  }

  /** A draft that is written to becomes a snapshot when it gets its name. */
  #snapshotFile(path: string, file: string): void {
    const now = performance.now();
    if (file === 'draft') {
      if (!this.#lanes.has(path)) this.#lanes.set(path, now);
    }
    const began = this.#lanes.get(path);
    if (!file.endsWith('.snapshot') || began === undefined) return;
    this.#lanes.delete(path);
    this.#note('snapshot', `lane ${path.split('/').at(-1)}`, began, now - began);
  }

  #note(kind: Cause['kind'], of: string, fromMs: number, durationMs: number): void {
    if (this.causes.length < maxCauses)
      this.causes.push({ kind, of, fromMs: performance.timeOrigin + fromMs, durationMs });
  }
}

/** What the hypervisor took of all processors so far. */
function stealMs(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  return Number(line.split(/\s+/)[stealField] ?? 0) * jiffyMs;
}

/** How long the main thread of a process has waited for a core so far. */
function waitedNsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]);
  } catch {
    return 0;
  }
}
