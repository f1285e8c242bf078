import { hostIdOf } from '../../../src/actors/placement/host-record.ts';
import { listShards, type Shard } from '../../../src/cli/placement/shards.ts';
import { heartbeats } from '../../../src/cli/system/lane-system.ts';
import type { Settings } from '../../../src/config/settings.ts';
import { allHeartbeatsSubject } from '../../../src/log/base/names.ts';
import { connectBus, connectLog } from '../../../src/log/jetstream/connect.ts';
import type { Heartbeat } from '../../../src/messages/bus-messages.ts';
import { decodeHeartbeat } from '../../../src/messages/codec/codec.ts';
import type { Bus, Log } from '../../../src/ports.ts';
import { logSettings } from '../../../src/wiring.ts';
import { lanes } from '../system/assemble.ts';

/** Listens to the owners of lanes: within one term, one life of one host may say that it serves. */
export class HeartbeatWatch {
  readonly faults: string[] = [];
  readonly #settings: () => Settings;
  readonly #claimants = new Map<string, string>();
  #open: { readonly log: Log; readonly bus: Bus; readonly credentials: string } | null = null;

  /** `settings`: those of the commands about lanes; a start of `up` changes them. */
  constructor(settings: () => Settings) {
    this.#settings = settings;
  }

  /** The only lane's owner and standby now. */
  async shard(): Promise<Shard> {
    const { log, bus } = await this.#connected();
    const audit = (): never => {
      throw new Error('nothing is changed here');
    };
    const [only] = await listShards({ log, bus, lanes, audit });
    return only as Shard;
  }

  /** What the next heartbeats say; null: there are none. */
  async beat(withinMs: number): Promise<Heartbeat | null> {
    const { bus } = await this.#connected();
    const beats = await heartbeats(bus, (known) => known.size === lanes, withinMs);
    return beats.get(0) ?? null;
  }

  /** The log begins again at an earlier place, where terms may be others'. */
  forget(): void {
    this.#claimants.clear();
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.bus.close();
    await open?.log.close();
  }

  async #connected(): Promise<{ readonly log: Log; readonly bus: Bus }> {
    const settings = this.#settings();
    const credentials = JSON.stringify(settings.natsCredentials);
    if (this.#open?.credentials === credentials) return this.#open;
    await this.close();
    const reach = logSettings(settings, 'lane');
    this.#open = { log: await connectLog(reach), bus: await connectBus(reach), credentials };
    this.#open.bus.subscribe(allHeartbeatsSubject, ({ bytes }) => this.#observe(decodeHeartbeat(bytes)));
    return this.#open;
  }

  #observe(beat: Heartbeat): void {
    if (beat.condition === 'stopped') return;
    const place = `lane ${beat.lane} term ${beat.term}`;
    const claimant = this.#claimants.get(place);
    if (claimant !== undefined && claimant !== beat.host)
      this.faults.push(
        `${place}: ${hostIdOf(claimant)} and ${hostIdOf(beat.host)} both say that they own it`,
      );
    this.#claimants.set(place, beat.host);
  }
}
