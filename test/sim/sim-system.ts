import { createHashing } from '../../src/actors/epochs/keys/hashing.ts';
import { ActorHost } from '../../src/actors/lane/actor-host.ts';
import type { ActorPorts, ActorSettings, Engines, KeyRing } from '../../src/actors/ports/actor-ports.ts';
import { LaneGateway } from '../../src/gateway/lanes/lane-gateway.ts';
import { createUpgradedLane, restoreLane } from '../../src/jackpot/lane/lane.ts';
import { type EngineVersions, engineVersions } from '../../src/jackpot/lane/versions/versions.ts';
import { crash } from '../../src/lib/crash.ts';
import type { Hashing } from '../../src/lib/hashing.ts';
import { heartbeatSubject, querySubject, replySubject } from '../../src/log/base/names.ts';
import { journalOpener } from '../../src/log/lanes/outcome-journal.ts';
import type { EngineSettings } from '../../src/messages/lane-commands.ts';
import { MemorySnapshots } from '../support/memory-snapshots.ts';
import { memorySpoolFile } from '../support/memory-spool-file.ts';
import { MemoryWitness } from '../support/memory-witness.ts';
import { type SimFaults, type SimNode, SimServer } from '../support/sim-server.ts';
import { SimWorld, settleInTurn } from '../support/sim-world.ts';

export const lane = 0;
const engineSettings: EngineSettings = { epochMs: 700, epochSequences: 1_000 };

/** Seeds are "sealed" as they are: what the simulation is about is not their secrecy. */
export const keyRing: KeyRing = {
  currentKeyId: 'simulated',
  seal: (secret) => ({ keyId: 'simulated', sealed: secret }),
  unseal: (_keyId, sealed) => sealed,
  rotate: () => {},
};
export const hashing = createHashing(keyRing);

export const engines = enginesOf(engineSettings);

/** Of these versions of the engine: those of this build. */
export function enginesOf(
  settings = engineSettings,
  versions: EngineVersions = engineVersions,
  of = hashing,
): Engines {
  return {
    create: () => createUpgradedLane(of, settings, versions),
    restore: (chunks) => restoreLane(chunks, of, settings, versions),
  };
}

interface RunningHost {
  readonly node: SimNode;
  readonly host: ActorHost;
}

/** One server, one gateway, one actor host that can be killed and started again; all of it real but the ports. */
export class SimSystem {
  readonly world: SimWorld;
  readonly server: SimServer;
  readonly gateway: LaneGateway;
  readonly alarms: string[] = [];
  readonly snapshots = new MemorySnapshots();
  readonly witness = new MemoryWitness();
  readonly engines: Engines;
  readonly #settings: EngineSettings;
  #running: RunningHost | null = null;
  #lives = 0;

  constructor(seed: number, settings = engineSettings, settleEvent = settleInTurn) {
    this.#settings = settings;
    this.engines = enginesOf(settings);
    this.world = new SimWorld(seed, settleEvent);
    this.server = new SimServer(this.world, 1);
    const node = this.server.connect('gateway');
    this.gateway = new LaneGateway({
      log: node.log,
      bus: node.bus,
      clock: this.world.clock(() => true),
      random: this.world.random(),
      defer: (task) => void this.world.schedule(0, task),
      report: crash,
      subjects: { reply: replySubject, query: querySubject, heartbeat: heartbeatSubject },
      lanes: 1,
      gateway: 'gateway-1',
    });
  }

  /** What the log means, to who has another cryptography. */
  readonly enginesOn: (of: Hashing) => Engines = (of) => enginesOf(this.#settings, engineVersions, of);

  /** Lives that the actor host had. */
  get lives(): number {
    return this.#lives;
  }

  get owned(): boolean {
    return this.#running?.host.unready() === null;
  }

  /** Why the host that runs has stopped by itself; null while it goes on. */
  get stopped(): string | null {
    return this.#running?.host.statuses()[0]?.stopped ?? null;
  }

  startHost(): void {
    this.killHost();
    this.#lives += 1;
    const name = `actors-${this.#lives}`;
    const node = this.server.connect(name);
    const host = new ActorHost([lane], this.ports(node), laneSettings(name, this.#settings));
    this.#running = { node, host };
    void host.start();
  }

  /** kill -9: whatever it was doing, it does nothing more. */
  killHost(): void {
    this.#running?.node.kill();
    this.#running = null;
  }

  /** SIGSTOP and SIGCONT of the actor host. */
  pauseHost(): void {
    this.#running?.node.pause();
  }

  resumeHost(): void {
    this.#running?.node.resume();
  }

  setFaults(faults: SimFaults): void {
    this.server.faults = faults;
  }

  protected ports(node: SimNode): ActorPorts {
    const { clock } = node;
    return {
      log: node.log,
      bus: node.bus,
      clock,
      random: this.world.random(),
      hashing,
      keyRing,
      snapshots: this.snapshots.of(() => node.alive),
      openSpoolFile: memorySpoolFile,
      witness: this.witness,
      openJournal: journalOpener(node.log, clock),
      engines: this.engines,
      monitor: {
        applied: () => {},
        snapshotStored: () => {},
        recovered: () => {},
        stopwatchSeconds: () => 0,
        alarm: (_lane, code, message) => void this.alarms.push(`${code}: ${message}`),
        notice: () => {},
      },
    };
  }
}

export function laneSettings(host: string, engine = engineSettings): ActorSettings {
  return {
    host,
    engine,
    snapshotEveryMessages: 9,
    snapshotEveryCommands: 100,
    snapshotEveryBytes: 64 * 1024,
    snapshotEveryReplaySeconds: 1,
    snapshotRestMs: 0,
    snapshotEveryMs: 3_000,
    uploadEveryMs: 5_000,
    logRetentionMs: 35 * 86_400_000,
    maximumLogLeadMs: 300_000,
    rateAgeAlarmMs: 3 * 86_400_000,
    reserveRatio: 0.2,
    epochPage: { textBytes: 64 * 1024, records: 40 },
  };
}
