import type { Command } from '../contracts/log/commands.ts';
import type { CommandWriter } from './command-writer.ts';
import { openEpochCommand } from './epoch-seeds.ts';
import type { LanePorts } from './ports.ts';
import type { AppliedMessage, Replica } from './replica.ts';

const checkEveryMs = 200;
/** A duty that stands although its command was applied is written again after this time. */
const writeAgainAfterMs = 1000;
/** Commands under way at a time; the others wait for the next check. */
const mostUnderWay = 64;

type Writing = { attempt: number; sequence: number | null; underWay: boolean; againAtMs: number };

/**
 * What a lane's owner writes by itself: the seeds of epochs, their reveal, and ticks when a deadline has passed. The
 * engine says what is due; a duty is written once and disappears when its command has been applied.
 */
export class Duties {
  readonly #replica: Replica;
  readonly #ports: LanePorts;
  readonly #writer: CommandWriter;
  readonly #writings = new Map<string, Writing>();
  #underWay = 0;
  #cancel: (() => void) | null = null;
  #active = false;

  constructor(replica: Replica, ports: LanePorts, writer: CommandWriter) {
    this.#replica = replica;
    this.#ports = ports;
    this.#writer = writer;
  }

  start(): void {
    this.#active = true;
    this.#check();
    this.#again();
  }

  stop(): void {
    this.#active = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Looks at once where a message may have made a duty: nearly none of the contributions does. */
  applied(applied: AppliedMessage): void {
    if (!this.#active) return;
    const changed =
      applied.outcome.events.some((event) => event.kind !== 'OptInChanged' && event.kind !== 'Won') ||
      (this.#writings.size > 0 && applied.batch.gateway === '');
    if (changed) this.#check();
  }

  #again(): void {
    this.#cancel = this.#ports.clock.after(checkEveryMs, () => {
      this.#check();
      if (this.#active) this.#again();
    });
  }

  #check(): void {
    const { engine } = this.#replica;
    const nowMs = Math.max(this.#ports.clock.nowMs(), engine.timestampMs);
    const standing = new Set<string>();
    for (const { instance, open, reveal } of engine.epochDuties(nowMs)) {
      if (open !== null) {
        const identity = `open:${instance}:${open.epoch}:${open.commit.join()}`;
        this.#due(standing, identity, nowMs, () =>
          openEpochCommand(this.#ports, instance, open.epoch, open.commit),
        );
      }
      for (const { epoch, keyId, sealed } of reveal) {
        this.#due(standing, `reveal:${instance}:${epoch}`, nowMs, () => ({
          kind: 'RevealEpoch',
          instance,
          epoch,
          seed: this.#ports.hashing.unseal(keyId, sealed),
        }));
      }
    }
    const deadline = engine.nextDeadline();
    if (deadline !== null && deadline.atMs <= nowMs) {
      const { instance, atMs } = deadline;
      this.#due(standing, `tick:${instance}:${atMs}`, nowMs, () => ({ kind: 'Tick', instance }));
    }
    for (const [identity, writing] of this.#writings) {
      if (!standing.has(identity) && !writing.underWay) this.#writings.delete(identity);
    }
  }

  #due(standing: Set<string>, identity: string, nowMs: number, make: () => Command): void {
    standing.add(identity);
    let writing = this.#writings.get(identity);
    if (writing === undefined) {
      writing = { attempt: 0, sequence: null, underWay: false, againAtMs: 0 };
    } else if (!this.#mayWriteAgain(writing, nowMs)) {
      return;
    } else if (writing.sequence !== null) {
      // It was applied and the duty stands (a tick of a server whose clock is behind): a new message, not a repeat.
      writing.attempt += 1;
    }
    if (this.#underWay >= mostUnderWay) return;
    this.#writings.set(identity, writing);
    void this.#write(writing, `${this.#replica.lane}:${identity}:${writing.attempt}`, make());
  }

  #mayWriteAgain(writing: Writing, nowMs: number): boolean {
    if (writing.underWay || nowMs < writing.againAtMs) return false;
    return writing.sequence === null || this.#replica.appliedSequence >= writing.sequence;
  }

  async #write(writing: Writing, identity: string, command: Command): Promise<void> {
    writing.underWay = true;
    this.#underWay += 1;
    writing.sequence = await this.#writer.write(identity, [command]);
    writing.againAtMs = this.#ports.clock.nowMs() + writeAgainAfterMs;
    writing.underWay = false;
    this.#underWay -= 1;
  }
}
