import { ActorHost } from '../../src/actors/lane/actor-host.ts';
import { mayBeInBatch } from '../../src/actors/replica/channel-commands.ts';
import { writeQuarantine } from '../../src/actors/replica/quarantine-writer.ts';
import { Quarantines } from '../../src/actors/replica/quarantines.ts';
import { firstLaneHead, Replica } from '../../src/actors/replica/replica.ts';
import { allHeartbeatsSubject, replySubject } from '../../src/log/base/names.ts';
import { journalOpener } from '../../src/log/lanes/outcome-journal.ts';
import type { Heartbeat, ReceivedReply } from '../../src/messages/bus-messages.ts';
import { decodeBatchReply, decodeHeartbeat, encodeCommandBatch } from '../../src/messages/codec/codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { CommandChannel } from '../../src/ports.ts';
import { engines, hashing, keyRing, laneSettings } from '../sim/sim-system.ts';
import { MemorySnapshots } from './memory-snapshots.ts';
import { memorySpoolFile } from './memory-spool-file.ts';
import { MemoryWitness } from './memory-witness.ts';
import { type SimNode, SimServer } from './sim-server.ts';
import { SimWorld } from './sim-world.ts';

const patienceMs = 60_000;

/** Two lanes of one host on a simulated log, into which a test writes whatever it likes. */
export class SimLanes {
  readonly world: SimWorld;
  readonly server: SimServer;
  readonly snapshots = new MemorySnapshots();
  readonly witness = new MemoryWitness();
  readonly alarms: string[] = [];
  readonly beats: Heartbeat[] = [];
  readonly replies: ReceivedReply[] = [];
  /** Of the software that the next host has. */
  engines = engines;
  readonly #test: SimNode;
  #host: { readonly node: SimNode; readonly host: ActorHost } | null = null;
  #names = 0;
  /** Lives of a lane that halted and were told of a quarantine. */
  readonly #healed = new Set<string>();

  constructor(seed: number) {
    this.world = new SimWorld(seed);
    this.server = new SimServer(this.world, 2);
    this.#test = this.server.connect('test');
    this.#test.bus.subscribe(
      allHeartbeatsSubject,
      ({ bytes }) => void this.beats.push(decodeHeartbeat(bytes)),
    );
    this.#test.bus.subscribe(
      replySubject('test'),
      ({ bytes }) => void this.replies.push(decodeBatchReply(bytes)),
    );
  }

  get log() {
    return this.#test.log;
  }

  get host(): ActorHost {
    if (this.#host === null) throw new Error('no host runs');
    return this.#host.host;
  }

  /** The process dies and another one begins. */
  startHost(): void {
    this.#host?.node.kill();
    this.#names += 1;
    const name = `actors-${this.#names}`;
    const node = this.server.connect(name);
    const clock = this.world.clock(() => node.alive);
    const host = new ActorHost(
      [0, 1],
      {
        log: node.log,
        bus: node.bus,
        clock,
        random: this.world.random(),
        hashing,
        keyRing,
        snapshots: this.snapshots.of(() => node.alive),
        witness: this.witness,
        openJournal: journalOpener(node.log, clock),
        openSpoolFile: memorySpoolFile,
        engines: this.engines,
        monitor: {
          applied: () => {},
          snapshotStored: () => {},
          recovered: () => {},
          stopwatchSeconds: () => 0,
          alarm: (lane, code, message) => void this.alarms.push(`lane ${lane} ${code}: ${message}`),
          notice: () => {},
        },
      },
      laneSettings(name),
    );
    this.#host = { node, host };
    void host.start();
  }

  append(lane: number, bytes: Uint8Array, channel: CommandChannel = 'batch'): number {
    this.#names += 1;
    const result = this.server.appendCommand(lane, channel, bytes, `test-${this.#names}`);
    if (result.kind !== 'stored') throw new Error('no fence was asked for');
    return result.sequence;
  }

  /** On the channel of who writes such commands, unless another one is named. */
  send(
    lane: number,
    commands: readonly Command[],
    channel: CommandChannel = commands.every(mayBeInBatch) ? 'batch' : 'control',
  ): number {
    this.#names += 1;
    const batchId = new Uint8Array(16);
    new DataView(batchId.buffer).setUint32(0, this.#names);
    return this.append(lane, encodeCommandBatch({ batchId, gateway: 'test', commands }), channel);
  }

  /** Sends to a lane that somebody owns, and waits for the answer. */
  async ask(lane: number, commands: readonly Command[]): Promise<ReceivedReply> {
    await this.until(() => this.host.statuses()[lane]!.ownership === 'owning', `lane ${lane} is owned`);
    const sequence = this.send(lane, commands);
    const found = () => this.replies.find((reply) => reply.lane === lane && reply.sequence === sequence);
    await this.until(() => found() !== undefined, `lane ${lane} answers message ${sequence}`);
    return found() as ReceivedReply;
  }

  halted(lane: number): string | null {
    const status = this.host.statuses()[lane]!;
    return status.halted ? status.stopped : null;
  }

  /** Everything that is in the lane's log is applied and stored, or the lane halted. */
  async settled(lane: number): Promise<void> {
    const stands = (): boolean => {
      if (this.halted(lane) !== null) return true;
      const { commands, outcomes } = this.server.lane(lane);
      return this.host.statuses()[lane]!.ownership === 'owning' && outcomes.length === commands.length;
    };
    await this.until(stands, `lane ${lane} settles`);
  }

  /** As the command does, through the log alone; the message that the host's heartbeat names. */
  async quarantineHalted(lane: number): Promise<number> {
    const code = this.halted(lane);
    const isNews = (beat: Heartbeat) =>
      beat.lane === lane && beat.condition === 'stopped' && !this.#healed.has(`${lane} ${beat.host}`);
    await this.until(() => this.beats.findLast(isNews)?.code === code, 'the halt is told');
    const beat = this.beats.findLast(isNews)!;
    this.#healed.add(`${lane} ${beat.host}`);
    const sequence = beat.appliedSequence + 1;
    const written = this.resolved(
      writeQuarantine(this.log, lane, sequence, { reason: 'test', user: 'tester' }),
    );
    const result = await written;
    if (result.kind !== 'written') throw new Error(`${result.kind}: ${sequence} of lane ${lane}`);
    await this.until(() => this.halted(lane) === null, 'recovering the lane');
    return sequence;
  }

  /** A replica of the log alone, as a standby or a tool makes one. */
  async replayed(lane: number): Promise<Replica> {
    const quarantines = await this.resolved(Quarantines.read(this.log, lane));
    const replica = new Replica(lane, this.engines.create(), hashing, firstLaneHead, quarantines);
    for (const stored of this.server.lane(lane).commands) replica.apply(stored);
    return replica;
  }

  until(done: () => boolean, what: string): Promise<void> {
    return this.world.until(done, patienceMs, `${what} (${this.alarms.join(' | ')})`);
  }

  /** What a promise of the simulation comes to. */
  async resolved<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    promise.then(
      () => (isSettled = true),
      () => (isSettled = true),
    );
    await this.until(() => isSettled, 'the log answers');
    return promise;
  }
}
