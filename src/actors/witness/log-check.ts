import type { Hashing } from '../../lib/hashing.ts';
import { PacedBytes } from '../../lib/pauses.ts';
import { errorText } from '../../log/base/error-text.ts';
import { type Clock, type Log, LogError } from '../../ports.ts';
import type { ActorMonitor } from '../ports/actor-ports.ts';
import type { Witness } from '../ports/witness.ts';
import {
  checkStream,
  commandsOf,
  type Damage,
  lostBeginning,
  type MayLack,
  outcomesOf,
} from './stream-check.ts';
import { lostSinceWitness } from './witness-check.ts';

interface LogCheckSettings {
  /** Bytes of all lanes together that are read in a second. */
  readonly bytesPerSecond: number;
  /** Time between two passes. */
  readonly everyMs: number;
  /** Older messages may leave the streams. */
  readonly maxAgeMs: number;
}

/** A hundredth of a core, and of what a disk gives. */
export const defaultLogCheckSettings = { bytesPerSecond: 1024 * 1024, everyMs: 3_600_000 };

const retryDelayMs = 15_000;
const maxRangesShown = 8;

interface Ports {
  /** On a separate connection: its reads delay no lane. */
  readonly log: Log;
  readonly clock: Clock;
  readonly hashing: Pick<Hashing, 'sha256'>;
  readonly monitor: ActorMonitor;
  readonly witness: Pick<Witness, 'heads'>;
  /** Whether this host owns the lane: one host checks it. */
  owns(lane: number): boolean;
  /** What was dropped up to here is in the archive. */
  archivedTo?(lane: number): Promise<number>;
  /** Commands are damaged: what was made of them should be kept elsewhere. */
  commandsDamaged(lane: number): void;
}

/**
 * Reads the whole log again and again, slowly, and reports what is missing or damaged: JetStream reports that
 * only for a message that is read. Looks at the state of the streams first (docs/decisions/0071).
 */
export class LogCheck {
  readonly #ports: Ports;
  readonly #lanes: number;
  readonly #settings: LogCheckSettings;
  /** By stream, as the last whole pass found it. */
  readonly #damages = new Map<string, readonly Damage[]>();
  readonly #alarmedBeginning = new Set<number>();
  readonly #pace: PacedBytes;
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(ports: Ports, lanes: number, settings: LogCheckSettings) {
    this.#ports = ports;
    this.#lanes = lanes;
    this.#settings = settings;
    this.#pace = new PacedBytes(ports.clock);
  }

  start(): void {
    // A failed check is no reason to end the lanes.
    this.#pass().catch((error) => {
      this.#ports.monitor.alarm(0, 'log_not_checked', errorText(error));
      if (!this.#stopped) this.#cancel = this.#ports.clock.after(this.#settings.everyMs, () => this.start());
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  warnings(): readonly string[] {
    return [...this.#damages.values()].filter((damages) => damages.length > 0).map(asText);
  }

  async #pass(): Promise<void> {
    let isComplete = true;
    for (const work of [this.#checkLane, this.#read]) {
      for (let lane = 0; lane < this.#lanes && !this.#stopped; lane += 1) {
        if (!this.#ports.owns(lane)) {
          isComplete = false;
          continue;
        }
        try {
          await work.call(this, lane);
        } catch (error) {
          // An outage has its own alarms.
          if (!(error instanceof LogError)) throw error;
          isComplete = false;
        }
      }
    }
    if (this.#stopped) return;
    const afterMs = isComplete ? this.#settings.everyMs : retryDelayMs;
    this.#cancel = this.#ports.clock.after(afterMs, () => this.start());
  }

  async #checkLane(lane: number): Promise<void> {
    const { log, clock } = this.#ports;
    const mayLack = await this.#mayLack(lane);
    const lost = await lostBeginning(log, lane, clock.nowMs(), mayLack);
    const beginning = lostSinceWitness(
      (await log.extents(lane)).commands,
      this.#ports.witness.heads(lane),
      clock.nowMs(),
      mayLack,
    );
    if (beginning !== null && !this.#alarmedBeginning.has(lane)) {
      this.#alarmedBeginning.add(lane);
      this.#ports.monitor.alarm(lane, 'commands_damaged', beginning);
      this.#ports.commandsDamaged(lane);
    }
    if (lost !== null && (this.#damages.get(lost.stream) ?? []).length === 0) this.#alarmOf(lane, [lost]);
  }

  async #read(lane: number): Promise<void> {
    const { log, clock, hashing } = this.#ports;
    for (const stream of [commandsOf(log, lane), outcomesOf(log, lane, hashing)]) {
      const mayLack = await this.#mayLack(lane);
      const beginning =
        stream.of === 'outcomes' ? await lostBeginning(log, lane, clock.nowMs(), mayLack) : null;
      const damages: Damage[] = beginning === null ? [] : [beginning];
      await checkStream(
        stream,
        (bytes) => this.#worked(bytes),
        (damage) => void add(damages, damage),
      );
      const { stream: name } = await stream.extent();
      if (damages.length === 0) this.#damages.set(name, []);
      else this.#alarmOf(lane, damages);
    }
  }

  async #mayLack(lane: number): Promise<MayLack> {
    const archivedTo = (await this.#ports.archivedTo?.(lane)) ?? 0;
    return { maxAgeMs: this.#settings.maxAgeMs, archivedTo };
  }

  /** Once for the same damage in the life of a process. */
  #alarmOf(lane: number, damages: readonly Damage[]): void {
    const { of, stream } = damages[0]!;
    const before = this.#damages.get(stream) ?? [];
    this.#damages.set(stream, damages);
    const message = asText(damages);
    if (before.length > 0 && asText(before) === message) return;
    this.#ports.monitor.alarm(lane, of === 'commands' ? 'commands_damaged' : 'outcomes_damaged', message);
    if (of === 'commands') this.#ports.commandsDamaged(lane);
  }

  async #worked(bytes: number): Promise<void> {
    if (this.#stopped) throw new LogError('stopped', 'The check was stopped.');
    await this.#pace.worked(bytes, this.#settings.bytesPerSecond);
  }
}

function add(damages: Damage[], damage: Damage): void {
  const last = damages.at(-1);
  if (last !== undefined && last.to + 1 === damage.from)
    damages[damages.length - 1] = { ...last, to: damage.to };
  else damages.push(damage);
}

/** What is gone, and what that means. */
export function asText(damages: readonly Damage[]): string {
  const [first] = damages;
  if (first === undefined) return '';
  const shown = damages
    .slice(0, maxRangesShown)
    .map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`));
  const more = damages.length > maxRangesShown ? ` and ${damages.length - maxRangesShown} more` : '';
  const consequence =
    first.of === 'outcomes'
      ? 'Repeats of their keys are answered from the commands.'
      : 'The lane goes on with the state that it has, but cannot be replayed across them: keep its snapshots, and bring back ' +
        'the stream from a backup or another replica.';
  return `${first.stream} has lost, or holds damaged: ${shown.join(', ')}${more}. ${consequence}`;
}
