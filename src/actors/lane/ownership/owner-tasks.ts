import type { EpochTask } from '../../../jackpot/lane/queries/epochs.ts';
import type { Deadline } from '../../../jackpot/lane/queries.ts';
import type { Job } from '../../../jackpot/rules/steps/steps.ts';
import { errorText } from '../../../log/base/error-text.ts';
import type { Command } from '../../../messages/commands.ts';
import { openEpochCommand } from '../../epochs/keys/epoch-seeds.ts';
import type { ComponentPorts } from '../../ports/actor-ports.ts';
import type { AppliedMessage, Replica } from '../../replica/replica.ts';
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

type Writing = {
  attempt: number;
  sequence: number | null;
  inFlight: boolean;
  retryAtMs: number;
  readonly isPending: () => boolean;
};
type Due = {
  readonly identity: string;
  readonly make: () => Command;
  readonly isPending: () => boolean;
  /** Its events fill an outcome record alone. */
  readonly alone?: boolean;
};

/**
 * The commands that a lane's owner writes: seeds of epochs, their reveals, ticks after deadlines, and
 * upgrades. The engine says which are due, but for upgrades; a task is written once and disappears when its
 * command is applied.
 */
export class OwnerTasks {
  readonly #replica: Replica;
  readonly #ports: ComponentPorts;
  readonly #writer: CommandWriter;
  readonly #nextEngineVersion: (isEmpty: boolean) => number | null;
  readonly #writings = new Map<string, Writing>();
  #inFlight = 0;
  #cancel: (() => void) | null = null;
  #cancelSoon: (() => void) | null = null;
  #active = false;

  constructor(
    replica: Replica,
    ports: ComponentPorts,
    writer: CommandWriter,
    nextEngineVersion: (isEmpty: boolean) => number | null = () => null,
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
    this.#forgetDone();
    const due = this.#pending(nowMs).filter(({ identity }) => this.#mayWrite(identity));
    const [alone, together] = [due.filter((each) => each.alone), due.filter((each) => !each.alone)];
    while (together.length > 0 && this.#inFlight < maxInFlight) {
      this.#begin(together.splice(0, maxTasksPerMessage));
    }
    for (; alone.length > 0 && this.#inFlight < maxInFlight; alone.shift()) this.#begin([alone[0]!]);
  }

  #forgetDone(): void {
    for (const [identity, writing] of this.#writings) {
      if (this.#isOver(writing) && !writing.isPending()) this.#writings.delete(identity);
    }
  }

  /** Neither under way nor stored and not applied. */
  #isOver({ inFlight, sequence }: Writing): boolean {
    return !inFlight && (sequence === null || this.#replica.appliedSequence >= sequence);
  }

  /**
   * What the engine says is to be written, whether it is under way or not: all of it, or more than can be
   * begun now. Thousands of instances may have their tasks at once, and each message that is written is
   * followed by a check.
   */
  #pending(nowMs: number): readonly Due[] {
    const { engine } = this.#replica;
    const limit = (maxInFlight - this.#inFlight) * maxTasksPerMessage + this.#writings.size;
    return [
      ...engine.epochTasks(limit).flatMap((task) => this.#epochDues(task)),
      ...engine.jobs().flatMap((job) => this.#stepsDue(job)),
      ...this.#upgradeDue(),
      ...engine.deadlinesUntil(nowMs, limit).map((deadline) => this.#tickDue(deadline)),
    ];
  }

  #epochDues({ instance, open, reveal }: EpochTask): readonly Due[] {
    const { engine } = this.#replica;
    const { hashing } = this.#ports;
    const dues: Due[] = [];
    if (open !== null) {
      const identity = openIdentity(instance, open);
      const make = () => openEpochCommand(this.#ports, instance, open.epoch, open.commit);
      const isPending = (): boolean => {
        const now = engine.epochTask(instance)?.open ?? null;
        return now !== null && openIdentity(instance, now) === identity;
      };
      dues.push({ identity, make, isPending });
    }
    for (const { epoch, keyId, sealed } of reveal) {
      const make = (): Command => {
        const seed = hashing.unseal(keyId, sealed);
        return { kind: 'RevealEpoch', instance, epoch, seed };
      };
      const isPending = (): boolean =>
        engine.epochTask(instance)?.reveal.some((now) => now.epoch === epoch) === true;
      dues.push({ identity: `reveal:${instance}:${epoch}`, make, isPending });
    }
    return dues;
  }

  #stepsDue({ job, step: next, stepsPerMessage }: Job): readonly Due[] {
    const { engine } = this.#replica;
    return Array.from({ length: stepsPerMessage }, (_, ahead) => {
      const step = next + ahead;
      return {
        identity: `continue:${job}:${step}`,
        make: (): Command => ({ kind: 'Continue', job, step }),
        isPending: () => engine.jobs().some((now) => now.job === job && now.step <= step),
        alone: stepsPerMessage === 1,
      };
    });
  }

  #upgradeDue(): readonly Due[] {
    const next = (): number | null => this.#nextEngineVersion(!this.#replica.engine.hasInstances);
    const version = next();
    if (version === null) return [];
    const make = (): Command => ({ kind: 'UpgradeTo', version });
    const isPending = (): boolean => next() === version;
    return [{ identity: `upgrade:${version}`, make, isPending, alone: true }];
  }

  #tickDue({ instance, atMs }: Deadline): Due {
    const { engine } = this.#replica;
    return {
      identity: `tick:${instance}:${atMs}`,
      make: () => ({ kind: 'Tick', instance }),
      isPending: () => engine.deadlineOf(instance) === atMs,
    };
  }

  #mayWrite(identity: string): boolean {
    const writing = this.#writings.get(identity);
    if (writing === undefined) return true;
    return this.#ports.clock.elapsedMs() >= writing.retryAtMs && this.#isOver(writing);
  }

  #begin(wanted: readonly Due[]): void {
    this.#write(wanted).catch((error) => this.#ports.failed(error));
  }

  async #write(wanted: readonly Due[]): Promise<void> {
    const due = wanted.flatMap((each) => this.#made(each) ?? []);
    if (due.length === 0) return;
    const writings = due.map((each) => this.#beginWriting(each));
    const name = due.map(({ identity }, index) => `${identity}:${writings[index]!.attempt}`).join();
    this.#inFlight += 1;
    const sequence = await this.#writer.write(
      `${this.#replica.lane}:${name}`,
      due.map(({ command }) => command),
    );
    this.#inFlight -= 1;
    for (const writing of writings) {
      writing.sequence = sequence;
      writing.retryAtMs = this.#ports.clock.elapsedMs() + rewriteDelayMs;
      writing.inFlight = false;
    }
  }

  /**
   * null: it cannot be made. A seed whose key is missing stays sealed until a person brings the key, and
   * after the deadline the instance pauses. The other tasks do not wait for that.
   */
  #made(due: Due): (Due & { readonly command: Command }) | null {
    const { identity, isPending } = due;
    try {
      return { ...due, command: due.make() };
    } catch (error) {
      const retryAtMs = this.#ports.clock.elapsedMs() + remakeDelayMs;
      this.#writings.set(identity, { attempt: 0, sequence: null, inFlight: false, retryAtMs, isPending });
      const message = `The owner task ${identity} cannot be done: ${errorText(error)}`;
      this.#ports.monitor.alarm(this.#replica.lane, 'duty_not_done', message);
      return null;
    }
  }

  #beginWriting({ identity, isPending }: Due): Writing {
    const known = this.#writings.get(identity);
    // Its command was applied and the task is still due (a tick of a server whose clock is behind): write a
    // new message, not a repeat.
    const attempt = known === undefined ? 0 : known.attempt + (known.sequence === null ? 0 : 1);
    const writing = { attempt, sequence: null, inFlight: true, retryAtMs: 0, isPending };
    this.#writings.set(identity, writing);
    return writing;
  }
}

/** The same epochs to commit are the same task. */
function openIdentity(instance: string, { epoch, commit }: NonNullable<EpochTask['open']>): string {
  return `open:${instance}:${epoch}:${commit.join()}`;
}
