import { storageSubject } from '../../../log/base/names.ts';
import { type Bus, type Clock, LogError } from '../../../ports.ts';
import type { AlarmMonitor } from '../../ports/actor-ports.ts';
import { Watch } from '../../ports/watch.ts';

interface ConfigurationWatchPorts {
  /** By stream, how it differs from what it should be. @throws LogError on outages */
  readonly differences: () => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly bus: Pick<Bus, 'hasListener'>;
  readonly clock: Clock;
  readonly monitor: AlarmMonitor;
}

const pollIntervalMs = 30_000;
const askWithinMs = 5_000;
/** A restart takes less than the time between two looks. */
const missingAfterLooks = 2;

/** Looks whether a stream was changed, and whether `storage` runs: an alarm, and a line until it is over. */
export class ConfigurationWatch extends Watch {
  readonly #ports: ConfigurationWatchPorts;
  #differing: ReadonlyMap<string, string> = new Map();
  #looksWithoutStorage = 0;

  constructor(ports: ConfigurationWatchPorts) {
    super(ports.clock, pollIntervalMs);
    this.#ports = ports;
  }

  differing(): readonly string[] {
    return [...this.#differing.keys()];
  }

  isStorageMissing(): boolean {
    return this.#looksWithoutStorage >= missingAfterLooks;
  }

  override warnings(): readonly string[] {
    return [
      ...[...this.#differing].map(([stream, how]) => `${stream} is not what it should be: ${how}`),
      ...(this.isStorageMissing() ? ['storage does not run: no stream is trimmed'] : []),
    ];
  }

  protected async look(): Promise<void> {
    try {
      await this.#lookForStorage();
      await this.#lookAtStreams();
    } catch (error) {
      // An outage has its own alarms; what was seen last stays until it is over.
      if (!(error instanceof LogError)) throw error;
    }
  }

  async #lookForStorage(): Promise<void> {
    const isThere = await this.#ports.bus.hasListener(storageSubject, askWithinMs);
    this.#looksWithoutStorage = isThere ? 0 : this.#looksWithoutStorage + 1;
    if (this.#looksWithoutStorage !== missingAfterLooks || this.isStopped) return;
    this.#ports.monitor.alarm(
      0,
      'storage_missing',
      'No process of the role storage works: no stream is trimmed, and what was replaced in archives stays. Start "potstream storage".',
    );
  }

  async #lookAtStreams(): Promise<void> {
    const found = new Map<string, string>();
    for (const [stream, differences] of await this.#ports.differences()) {
      const how = differences.join('; ');
      found.set(stream, how);
      if (this.#differing.get(stream) === how || this.isStopped) continue;
      this.#ports.monitor.alarm(0, 'stream_changed', `${stream} is not what it should be: ${how}.`);
    }
    this.#differing = found;
  }
}
