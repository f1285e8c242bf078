import { type Clock, type Log, LogError } from '../../../ports.ts';
import type { ActorMonitor } from '../../ports/actor-ports.ts';
import { Watch } from '../../ports/watch.ts';

/** Part of max_bytes that a lane's stream holds. */
export interface StreamUse {
  readonly lane: number;
  readonly stream: string;
  readonly ratio: number;
  /** When it is full for contributions, as it grows now; undefined: not growing, trimmed before, unknown. */
  readonly fullInMs: number | undefined;
}

interface StreamWatchSettings {
  /** From here on a person has to look, at 1 the lane stores nothing more. */
  readonly alarmRatio: number;
  /** A person has to look where contributions would be refused this soon; 0: never because of that. */
  readonly alarmMs: number;
  /** The part in which they are refused. */
  readonly reserveRatio: number;
  /** Below this ratio a stream has no forecast: it is trimmed before it is full. 0: none is trimmed. */
  readonly trimmedBelow: number;
}

/** Fallen so far below the alarm's ratio it is over: old messages leave, so the fill goes up and down. */
const calmBelow = 0.05;
/** The same of a forecast: it is over when there is this much more time. */
const calmFactor = 1.25;
const hourMs = 3_600_000;
const pollIntervalMs = 15_000;

/**
 * Looks how full the streams of the lanes are, and when they will be: metrics, one alarm each time that one
 * fills, and a line until it is over.
 */
export class StreamWatch extends Watch {
  readonly #ports: { readonly log: Log; readonly clock: Clock; readonly monitor: ActorMonitor };
  readonly #lanes: number;
  readonly #settings: StreamWatchSettings;
  readonly #fills = new Map<string, StreamUse>();
  readonly #filling = new Set<string>();
  readonly #fullSoon = new Set<string>();
  readonly #forecasts = new Map<string, StreamForecast>();

  constructor(
    ports: { readonly log: Log; readonly clock: Clock; readonly monitor: ActorMonitor },
    lanes: number,
    settings: StreamWatchSettings,
  ) {
    super(ports.clock, pollIntervalMs);
    this.#ports = ports;
    this.#lanes = lanes;
    this.#settings = settings;
  }

  fills(): readonly StreamUse[] {
    return [...this.#fills.values()];
  }

  override warnings(): readonly string[] {
    return this.fills().flatMap(({ stream, ratio, fullInMs }) => [
      ...(this.#filling.has(stream) ? [`${stream} is ${Math.floor(ratio * 100)} % full`] : []),
      ...(this.#fullSoon.has(stream) ? [soon(stream, fullInMs ?? 0)] : []),
    ]);
  }

  protected async look(): Promise<void> {
    for (let lane = 0; lane < this.#lanes && !this.isStopped; lane += 1) {
      try {
        for (const { stream, bytes, maxBytes } of await this.#ports.log.fill(lane))
          this.#note({
            lane,
            stream,
            ratio: maxBytes === 0 ? 0 : bytes / maxBytes,
            fullInMs: this.#forecast(stream, bytes, maxBytes),
          });
      } catch (error) {
        // An outage has its own alarms; what was seen last stays until it is over.
        if (!(error instanceof LogError)) throw error;
      }
    }
  }

  #forecast(stream: string, bytes: number, maxBytes: number): number | undefined {
    const forecast = this.#forecasts.get(stream) ?? new StreamForecast();
    this.#forecasts.set(stream, forecast);
    const forContributions = maxBytes * (1 - this.#settings.reserveRatio);
    const fullInMs = forecast.note(this.#ports.clock.elapsedMs(), bytes, forContributions) ?? undefined;
    return bytes < maxBytes * this.#settings.trimmedBelow ? undefined : fullInMs;
  }

  #note(fill: StreamUse): void {
    this.#fills.set(fill.stream, fill);
    this.#noteRatio(fill);
    this.#noteForecast(fill);
  }

  #noteRatio({ lane, stream, ratio }: StreamUse): void {
    const { alarmRatio } = this.#settings;
    if (ratio < alarmRatio - calmBelow) this.#filling.delete(stream);
    if (ratio < alarmRatio || this.#filling.has(stream)) return;
    this.#filling.add(stream);
    this.#ports.monitor.alarm(
      lane,
      'stream_filling',
      `${stream} is ${Math.floor(ratio * 100)} % full; at 100 % it stores nothing more. Raise its max_bytes.`,
    );
  }

  #noteForecast({ lane, stream, fullInMs = Number.POSITIVE_INFINITY }: StreamUse): void {
    const { alarmMs } = this.#settings;
    if (fullInMs > alarmMs * calmFactor) this.#fullSoon.delete(stream);
    if (fullInMs >= alarmMs || this.#fullSoon.has(stream)) return;
    this.#fullSoon.add(stream);
    this.#ports.monitor.alarm(lane, 'stream_full_soon', `${soon(stream, fullInMs)}. Raise its max_bytes.`);
  }
}

function soon(stream: string, fullInMs: number): string {
  const hours = (fullInMs / hourMs).toFixed(1);
  return `${stream} will have no room for contributions in ${hours} hours, if it grows as in the last hour`;
}

/** A forecast looks back this far, and is none before it has seen growth for this long. */
const windowMs = 3_600_000;
const minMs = 60_000;
/** One sample a minute is kept, and the newest one. */
const sampleEveryMs = 60_000;

interface Sample {
  readonly atMs: number;
  readonly bytes: number;
}

/** When a stream will be full, if it goes on growing as it did in the last hour. */
class StreamForecast {
  #samples: Sample[] = [];

  /** null: the stream does not grow, or was not watched for long enough. */
  note(atMs: number, bytes: number, maxBytes: number): number | null {
    this.#addSample({ atMs, bytes });
    const oldest = this.#samples[0] as Sample;
    const elapsedMs = atMs - oldest.atMs;
    const grown = bytes - oldest.bytes;
    if (maxBytes === 0 || elapsedMs < minMs || grown <= 0) return null;
    return Math.max(0, maxBytes - bytes) / (grown / elapsedMs);
  }

  #addSample(sample: Sample): void {
    const newest = this.#samples.at(-1);
    const isDue = newest === undefined || sample.atMs - newest.atMs >= sampleEveryMs;
    if (isDue) this.#samples.push(sample);
    while (this.#samples.length > 1 && sample.atMs - this.#samples[1]!.atMs >= windowMs)
      this.#samples.shift();
  }
}
