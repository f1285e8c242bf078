import { hostIdOf } from '../../../src/actors/placement/host-record.ts';
import { heartbeats, type LaneSystem } from '../../../src/cli/lane/system.ts';
import { listShards, type Shard } from '../../../src/cli/placement/shards.ts';
import type { Settings } from '../../../src/config.ts';
import { connectBus, connectLog } from '../../../src/log/connect.ts';
import { allHeartbeatsSubject } from '../../../src/log/names.ts';
import type { Heartbeat } from '../../../src/messages/bus-messages.ts';
import { decodeHeartbeat } from '../../../src/messages/codec/codec.ts';
import type { Bus, Log } from '../../../src/ports.ts';
import { logSettings } from '../../../src/wiring.ts';
import { lanes } from '../system/assemble.ts';

/** Listens to the owners of lanes: within one term, one life of one host may say that it serves. */
export class HeartbeatWatch {
  readonly faults: string[] = [];
  readonly #log: Log;
  readonly #bus: Bus;
  readonly #claimants = new Map<string, string>();
  #newest: Heartbeat | null = null;

  private constructor(log: Log, bus: Bus) {
    this.#log = log;
    this.#bus = bus;
    bus.subscribe(allHeartbeatsSubject, ({ bytes }) => this.#observe(decodeHeartbeat(bytes)));
  }

  static async open(settings: Settings): Promise<HeartbeatWatch> {
    const reach = logSettings(settings, 'lane');
    return new HeartbeatWatch(await connectLog(reach), await connectBus(reach));
  }

  /** The newest beat of all lanes, which one that stopped sends too. */
  get newest(): Heartbeat | null {
    return this.#newest;
  }

  /** The only lane's owner and standby now. */
  async shard(): Promise<Shard> {
    const [only] = await listShards(this.#system());
    return only as Shard;
  }

  /** What the next heartbeats say; null: there are none. */
  async beat(withinMs: number): Promise<Heartbeat | null> {
    const beats = await heartbeats(this.#bus, (known) => known.size === lanes, withinMs);
    return beats.get(0) ?? null;
  }

  async close(): Promise<void> {
    await this.#bus.close();
    await this.#log.close();
  }

  #system(): LaneSystem {
    const audit = (): never => {
      throw new Error('nothing is changed here');
    };
    return { log: this.#log, bus: this.#bus, lanes, audit };
  }

  #observe(beat: Heartbeat): void {
    this.#newest = beat;
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
