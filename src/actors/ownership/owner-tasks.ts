import { errorText } from '../../log/error-text.ts';
import type { Command } from '../../messages/commands.ts';
import { openEpochCommand } from '../keys/epoch-seeds.ts';
import type { ComponentPorts } from '../ports.ts';
import type { AppliedMessage, LaneReplica } from '../replica/lane-replica.ts';
import type { CommandWriter } from './command-writer.ts';

const checkEveryMs = 200;
/** A task that is still due although its command was applied is written again after this time. */
const rewriteDelayMs = 1000;
/** A task whose command cannot be made is tried again after this time. */
const remakeDelayMs = 5000;
/** A message that made a task is followed by a check this much later: one for many messages. */
const checkSoonAfterMs = 1;
/** Tasks of one message, and messages under way at a time; the others wait for the next check. */
const maxTasksPerMessage = 32;
const maxInFlight = 16;

type Writing = { attempt: number; sequence: number | null; inFlight: boolean; retryAtMs: number };
type Due = {
  readonly identity: string;
  readonly make: () => Command;
  /** Its events fill an outcome record alone. */
  readonly alone?: boolean;
};

/**
 * The commands that a lane's owner writes: seeds of epochs, their reveals, ticks after deadlines, and upgrades. The engine
 * says which are due, but for upgrades; a task is written once and disappears when its command is applied.
 */
export class OwnerTasks {
  readonly #replica: LaneReplica;
  readonly #ports: ComponentPorts;
  readonly #writer: CommandWriter;
  readonly #nextEngineVersion: () => number | null;
  readonly #writings = new Map<string, Writing>();
  #inFlight = 0;
  #cancel: (() => void) | null = null;
  #cancelSoon: (() => void) | null = null;
  #active = false;

  constructor(
    replica: LaneReplica,
    ports: ComponentPorts,
    writer: CommandWriter,
    nextEngineVersion: () => number | null = () => null,
  ) {
    this.#replica = replica;
    this.#ports = ports;
    this.#writer = writer;
    this.#nextEngineVersion = nextEngineVersion;
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

  /** Checks soon after a message that may have made a task: hardly any contribution does. */
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
    const check = (): void => {
      this.#check();
      if (this.#active) this.#again();
    };
    this.#cancel = this.#ports.clock.after(checkEveryMs, check, 'aligned');
  }

  #check(): void {
    const nowMs = Math.max(this.#ports.clock.nowMs(), this.#replica.engine.timestampMs);
    const pending = this.#pending(nowMs);
    const identities = new Set(pending.map(({ identity }) => identity));
    for (const [identity, writing] of this.#writings) {
      if (!identities.has(identity) && !writing.inFlight) this.#writings.delete(identity);
    }
    const due = pending.filter(({ identity }) => this.#mayWrite(identity, nowMs));
    const [alone, together] = [due.filter((each) => each.alone), due.filter((each) => !each.alone)];
    while (together.length > 0 && this.#inFlight < maxInFlight) {
      this.#begin(together.splice(0, maxTasksPerMessage));
    }
    for (; alone.length > 0 && this.#inFlight < maxInFlight; alone.shift()) this.#begin([alone[0]!]);
  }

  /** Everything that the engine says is to be written, whether it is under way or not. */
  #pending(nowMs: number): Due[] {
    const { engine } = this.#replica;
    const { hashing } = this.#ports;
    const pending: Due[] = [];
    for (const { instance, open, reveal } of engine.epochTasks(nowMs)) {
      if (open !== null) {
        const identity = `open:${instance}:${open.epoch}:${open.commit.join()}`;
        const make = () => openEpochCommand(this.#ports, instance, open.epoch, open.commit);
        pending.push({ identity, make });
      }
      for (const { epoch, keyId, sealed } of reveal) {
        const make = (): Command => {
          const seed = hashing.unseal(keyId, sealed);
          return { kind: 'RevealEpoch', instance, epoch, seed };
        };
        pending.push({ identity: `reveal:${instance}:${epoch}`, make });
      }
    }
    for (const { job, step, stepsPerMessage } of engine.jobs()) {
      for (let ahead = 0; ahead < stepsPerMessage; ahead++) {
        const make = (): Command => ({ kind: 'Continue', job, step: step + ahead });
        pending.push({
          identity: `continue:${job}:${step + ahead}`,
          make,
          alone: stepsPerMessage === 1,
        });
      }
    }
    const version = this.#nextEngineVersion();
    if (version !== null) {
      const make = (): Command => ({ kind: 'UpgradeTo', version });
      pending.push({ identity: `upgrade:${version}`, make, alone: true });
    }
    const deadline = engine.nextDeadline();
    if (deadline !== null && deadline.atMs <= nowMs) {
      const { instance, atMs } = deadline;
      pending.push({ identity: `tick:${instance}:${atMs}`, make: () => ({ kind: 'Tick', instance }) });
    }
    return pending;
  }

  #mayWrite(identity: string, nowMs: number): boolean {
    const writing = this.#writings.get(identity);
    if (writing === undefined) return true;
    if (writing.inFlight || nowMs < writing.retryAtMs) return false;
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
    this.#inFlight += 1;
    const sequence = await this.#writer.write(
      `${this.#replica.lane}:${name}`,
      due.map(({ command }) => command),
    );
    this.#inFlight -= 1;
    for (const writing of writings) {
      writing.sequence = sequence;
      writing.retryAtMs = this.#ports.clock.nowMs() + rewriteDelayMs;
      writing.inFlight = false;
    }
  }

  /**
   * null: it cannot be made. A seed whose key is missing stays sealed: somebody has to bring the key, and behind the
   * deadline the instance pauses. The other tasks do not wait for that.
   */
  #made({ identity, make }: Due): { readonly identity: string; readonly command: Command } | null {
    try {
      return { identity, command: make() };
    } catch (error) {
      const retryAtMs = this.#ports.clock.nowMs() + remakeDelayMs;
      this.#writings.set(identity, { attempt: 0, sequence: null, inFlight: false, retryAtMs });
      const message = `The owner task ${identity} cannot be done: ${errorText(error)}`;
      this.#ports.monitor.alarm(this.#replica.lane, 'duty_not_done', message);
      return null;
    }
  }

  #beginWriting(identity: string): Writing {
    const known = this.#writings.get(identity);
    // Its command was applied and the task is still due (a tick of a server whose clock is behind): write a new
    // message, not a repeat.
    const attempt = known === undefined ? 0 : known.attempt + (known.sequence === null ? 0 : 1);
    const writing = { attempt, sequence: null, inFlight: true, retryAtMs: 0 };
    this.#writings.set(identity, writing);
    return writing;
  }
}
