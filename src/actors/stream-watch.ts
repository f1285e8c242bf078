import { crash } from '../lib/crash.ts';
import { type Clock, type Log, LogError } from '../lib/ports.ts';
import type { LaneMonitor } from './ports.ts';

/** Part of max_bytes that a lane's stream holds. */
export interface LaneFill {
  readonly lane: number;
  readonly stream: string;
  readonly ratio: number;
}

/** runtime.md, "NATS objects": from here on somebody has to look, at 1 the lane stores nothing more. */
const alarmRatio = 0.7;
/** Fallen below it the alarm is over: old messages leave, so the fill goes up and down. */
const calmRatio = 0.65;
const lookEveryMs = 15_000;

/** Looks how full the streams of the lanes are: a metric, one alarm each time that one fills, and a line until it is over. */
export class StreamWatch {
  readonly #ports: { readonly log: Log; readonly clock: Clock; readonly monitor: LaneMonitor };
  readonly #lanes: number;
  readonly #fills = new Map<string, LaneFill>();
  readonly #filling = new Set<string>();
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(
    ports: { readonly log: Log; readonly clock: Clock; readonly monitor: LaneMonitor },
    lanes: number,
  ) {
    this.#ports = ports;
    this.#lanes = lanes;
  }

  start(): void {
    this.#look().catch(crash);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  fills(): readonly LaneFill[] {
    return [...this.#fills.values()];
  }

  warnings(): readonly string[] {
    return this.fills()
      .filter(({ stream }) => this.#filling.has(stream))
      .map(({ stream, ratio }) => `${stream} is ${Math.floor(ratio * 100)} % full`);
  }

  async #look(): Promise<void> {
    for (let lane = 0; lane < this.#lanes && !this.#stopped; lane += 1) {
      try {
        for (const { stream, bytes, mostBytes } of await this.#ports.log.fill(lane))
          this.#note({ lane, stream, ratio: mostBytes === 0 ? 0 : bytes / mostBytes });
      } catch (error) {
        // An outage has its own alarms; what was seen last stays until it is over.
        if (!(error instanceof LogError)) throw error;
      }
    }
    if (!this.#stopped) this.#cancel = this.#ports.clock.after(lookEveryMs, () => this.start());
  }

  #note(fill: LaneFill): void {
    const { lane, stream, ratio } = fill;
    this.#fills.set(stream, fill);
    if (ratio < calmRatio) this.#filling.delete(stream);
    if (ratio < alarmRatio || this.#filling.has(stream)) return;
    this.#filling.add(stream);
    this.#ports.monitor.alarm(
      lane,
      'stream_filling',
      `${stream} is ${Math.floor(ratio * 100)} % full; at 100 % nothing more is stored. Raise its max_bytes.`,
    );
  }
}
