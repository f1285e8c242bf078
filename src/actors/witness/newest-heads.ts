import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crash } from '../../lib/crash.ts';
import type { Clock } from '../../ports.ts';
import type { WitnessedHead } from '../ports/witness.ts';
import { formatLine } from './witness-lines.ts';

const ownerOnly = 0o600;
const slotBytes = 256;
/** Written this often at most, and otherwise at once. */
const writeEveryMs = 20;

/**
 * The newest head of each lane, in a file that only grows with the number of lanes: a lane's line has a place
 * there and is written over. The file is not synced, as the witness itself is each second: a killed process
 * loses nothing of it.
 */
export class NewestHeads {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #alarm: (error: unknown) => void;
  #slots: Buffer;
  #changedFrom = Number.POSITIVE_INFINITY;
  #changedTo = 0;
  readonly #shows = new Set<() => void>();
  #writtenMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | null = null;
  #cancel: (() => void) | null = null;
  #isFailing = false;
  #file: FileHandle | null = null;

  private constructor(path: string, present: Buffer, clock: Clock, alarm: (error: unknown) => void) {
    this.#path = path;
    this.#slots = present;
    this.#clock = clock;
    this.#alarm = alarm;
  }

  static async open(path: string, clock: Clock, alarm: (error: unknown) => void): Promise<NewestHeads> {
    const present = await readFile(path).catch(() => Buffer.alloc(0));
    return new NewestHeads(path, present, clock, alarm);
  }

  set(head: WitnessedHead): void {
    const line = formatLine(head).trimEnd();
    if (line.length >= slotBytes) return;
    const at = head.lane * slotBytes;
    const missing = at + slotBytes - this.#slots.length;
    if (missing > 0) this.#slots = Buffer.concat([this.#slots, Buffer.alloc(missing)]);
    this.#slots.write(`${line.padEnd(slotBytes - 1)}\n`, at, 'latin1');
    this.#changedFrom = Math.min(this.#changedFrom, at);
    this.#changedTo = Math.max(this.#changedTo, at + slotBytes);
  }

  /** Calls `show` in a moment, and writes what it has set. */
  soon(show: () => void): void {
    this.#shows.add(show);
    if (this.#writing !== null || this.#cancel !== null) return;
    const delayMs = Math.max(0, this.#writtenMs + writeEveryMs - this.#clock.elapsedMs());
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#cancel = null;
      this.#writing = this.#write().finally(() => this.#written());
      this.#writing.catch(crash);
    });
  }

  async close(): Promise<void> {
    this.#cancel?.();
    await this.#writing;
    await this.#file?.close();
    this.#file = null;
  }

  async #write(): Promise<void> {
    this.#writtenMs = this.#clock.elapsedMs();
    const shows = [...this.#shows];
    this.#shows.clear();
    for (const show of shows) show();
    const [from, to] = [this.#changedFrom, this.#changedTo];
    [this.#changedFrom, this.#changedTo] = [Number.POSITIVE_INFINITY, 0];
    try {
      if (from < to) await this.#put(from, Buffer.from(this.#slots.subarray(from, to)));
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#alarm(error);
      this.#isFailing = true;
    }
  }

  #written(): void {
    this.#writing = null;
    const [next] = this.#shows;
    if (next !== undefined) this.soon(next);
  }

  async #put(at: number, bytes: Buffer): Promise<void> {
    this.#file ??= await openOver(this.#path);
    await this.#file.write(bytes, 0, bytes.length, at);
  }
}

/** What is there is written over, not cut. */
async function openOver(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { mode: 0o700 }).catch(() => {});
  return open(path, 'r+', ownerOnly).catch(() => open(path, 'w', ownerOnly));
}
