import { errorText } from '../../log/error-text.ts';
import type { Command } from '../../messages/commands.ts';
import { openEpochCommand } from '../keys/epoch-seeds.ts';
import type { LaneRoomPorts } from '../ports.ts';
import type { AppliedMessage, Replica } from '../replica/lane-replica.ts';
import type { CommandWriter } from './command-writer.ts';

const checkEveryMs = 200;
/** A duty that stands although its command was applied is written again after this time. */
const writeAgainAfterMs = 1000;
/** A duty whose command cannot be made is tried again after this time. */
const makeAgainAfterMs = 5000;
/** A message that made a duty is followed by a check this much later: one for many messages. */
const checkSoonAfterMs = 1;
/** Duties of one message, and messages under way at a time; the others wait for the next check. */
const mostDutiesPerMessage = 32;
const mostUnderWay = 16;

type Writing = { attempt: number; sequence: number | null; underWay: boolean; againAtMs: number };
type Due = {
  readonly identity: string;
  readonly make: () => Command;
  /** It tells so much that its outcome record holds nothing else. */
  readonly alone?: boolean;
};

/**
 * What a lane's owner writes by itself: the seeds of epochs, their reveal, and ticks when a deadline has passed. The
 * engine says what is due; a duty is written once and disappears when its command has been applied.
 */
export class Duties {
  readonly #replica: Replica;
  readonly #ports: LaneRoomPorts;
  readonly #writer: CommandWriter;
  readonly #writings = new Map<string, Writing>();
  #underWay = 0;
  #cancel: (() => void) | null = null;
  #cancelSoon: (() => void) | null = null;
  #active = false;

  constructor(replica: Replica, ports: LaneRoomPorts, writer: CommandWriter) {
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
    this.#cancelSoon?.();
    this.#cancelSoon = null;
  }

  /** Looks soon where a message may have made a duty: nearly none of the contributions does. */
  applied(applied: AppliedMessage): void {
    if (!this.#active || this.#cancelSoon !== null) return;
    const changed =
      applied.outcome.events.some((event) => event.kind !== 'OptInChanged' && event.kind !== 'Won') ||
      (this.#writings.size > 0 && applied.batch.gateway === '');
    if (!changed) return;
    this.#cancelSoon = this.#ports.clock.after(checkSoonAfterMs, () => {
      this.#cancelSoon = null;
      this.#check();
    });
  }

  #again(): void {
    this.#cancel = this.#ports.clock.after(checkEveryMs, () => {
      this.#check();
      if (this.#active) this.#again();
    });
  }

  #check(): void {
    const nowMs = Math.max(this.#ports.clock.nowMs(), this.#replica.engine.timestampMs);
    const standing = this.#standing(nowMs);
    const identities = new Set(standing.map(({ identity }) => identity));
    for (const [identity, writing] of this.#writings) {
      if (!identities.has(identity) && !writing.underWay) this.#writings.delete(identity);
    }
    const due = standing.filter(({ identity }) => this.#mayWrite(identity, nowMs));
    const [alone, together] = [due.filter((each) => each.alone), due.filter((each) => !each.alone)];
    while (together.length > 0 && this.#underWay < mostUnderWay) {
      this.#begin(together.splice(0, mostDutiesPerMessage));
    }
    for (; alone.length > 0 && this.#underWay < mostUnderWay; alone.shift()) this.#begin([alone[0]!]);
  }

  /** Everything that the engine says is to be written, whether it is under way or not. */
  #standing(nowMs: number): Due[] {
    const { engine } = this.#replica;
    const { hashing } = this.#ports;
    const standing: Due[] = [];
    for (const { instance, open, reveal } of engine.epochDuties(nowMs)) {
      if (open !== null) {
        const identity = `open:${instance}:${open.epoch}:${open.commit.join()}`;
        const make = () => openEpochCommand(this.#ports, instance, open.epoch, open.commit);
        standing.push({ identity, make });
      }
      for (const { epoch, keyId, sealed } of reveal) {
        const make = (): Command => {
          const seed = hashing.unseal(keyId, sealed);
          return { kind: 'RevealEpoch', instance, epoch, seed };
        };
        standing.push({ identity: `reveal:${instance}:${epoch}`, make });
      }
    }
    for (const { job, step, stepsPerMessage } of engine.jobs()) {
      for (let ahead = 0; ahead < stepsPerMessage; ahead++) {
        const make = (): Command => ({ kind: 'Continue', job, step: step + ahead });
        standing.push({
          identity: `continue:${job}:${step + ahead}`,
          make,
          alone: stepsPerMessage === 1,
        });
      }
    }
    const deadline = engine.nextDeadline();
    if (deadline !== null && deadline.atMs <= nowMs) {
      const { instance, atMs } = deadline;
      standing.push({ identity: `tick:${instance}:${atMs}`, make: () => ({ kind: 'Tick', instance }) });
    }
    return standing;
  }

  #mayWrite(identity: string, nowMs: number): boolean {
    const writing = this.#writings.get(identity);
    if (writing === undefined) return true;
    if (writing.underWay || nowMs < writing.againAtMs) return false;
    return writing.sequence === null || this.#replica.appliedSequence >= writing.sequence;
  }

  #begin(wanted: readonly Due[]): void {
    this.#write(wanted).catch((error) => this.#ports.failed(error));
  }

  async #write(wanted: readonly Due[]): Promise<void> {
    const due = wanted.flatMap((each) => this.#made(each) ?? []);
    if (due.length === 0) return;
    const writings = due.map(({ identity }) => this.#beginWriting(identity));
    const name = due.map(({ identity }, index) => `${identity}:${writings[index]!.attempt}`).join();
    this.#underWay += 1;
    const sequence = await this.#writer.write(
      `${this.#replica.lane}:${name}`,
      due.map(({ command }) => command),
    );
    this.#underWay -= 1;
    for (const writing of writings) {
      writing.sequence = sequence;
      writing.againAtMs = this.#ports.clock.nowMs() + writeAgainAfterMs;
      writing.underWay = false;
    }
  }

  /**
   * null: it cannot be made. A seed whose key is missing stays sealed: somebody has to bring the key, and behind the
   * deadline the instance pauses. The other duties do not wait for that.
   */
  #made({ identity, make }: Due): { readonly identity: string; readonly command: Command } | null {
    try {
      return { identity, command: make() };
    } catch (error) {
      const againAtMs = this.#ports.clock.nowMs() + makeAgainAfterMs;
      this.#writings.set(identity, { attempt: 0, sequence: null, underWay: false, againAtMs });
      const message = `The duty ${identity} cannot be done: ${errorText(error)}`;
      this.#ports.monitor.alarm(this.#replica.lane, 'duty_not_done', message);
      return null;
    }
  }

  #beginWriting(identity: string): Writing {
    const known = this.#writings.get(identity);
    // It was applied and the duty stands (a tick of a server whose clock is behind): a new message, not a repeat.
    const attempt = known === undefined ? 0 : known.attempt + (known.sequence === null ? 0 : 1);
    const writing = { attempt, sequence: null, underWay: true, againAtMs: 0 };
    this.#writings.set(identity, writing);
    return writing;
  }
}
