import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { pause } from '../../lib/pauses.ts';
import { errorText } from '../../log/base/error-text.ts';
import type { Heartbeat } from '../../messages/bus-messages.ts';
import { LogError, type StoredCommand } from '../../ports.ts';
import { EpochPublisher } from '../epochs/publisher.ts';
import type { ActorPorts, ActorSettings } from '../ports/actor-ports.ts';
import type { AlarmCode } from '../ports/alarm-codes.ts';
import { throughOutages } from '../ports/outages.ts';
import { HeadMismatch, type Recovered, recoverLane } from '../recovery/recover-lane.ts';
import { RecoveryTimes } from '../recovery/recovery-times.ts';
import { quarantineOf } from '../replica/quarantines.ts';
import type { AppliedMessage } from '../replica/replica.ts';
import { assembleLane, type LaneComponents } from './assemble-lane.ts';
import type { DirectoryWatch } from './directory/directory-watch.ts';
import { guardedPorts } from './guarded-ports.ts';
import { alarmOf, type Halt, haltAt, haltOf } from './halt.ts';
import { untilQuarantined } from './halted-lane.ts';
import { Heartbeats } from './heartbeats.ts';
import { type HostedLaneStatus, type LaneEnd, statusOf } from './lane-status.ts';
import { noChange } from './ownership/ownership.ts';
import { aloneOnLanes, type PlacementEvents } from './placement-events.ts';

/** The next owner recovers the records that are not drained by then. */
const drainWithinMs = 8000;

/**
 * One lane in this process: recover, follow, apply; once its claim is read back also answer, journal, tick
 * and write what the lane's owner has to. Whether it emits is one switch: the emitter's.
 */
export class LaneHost {
  readonly lane: number;
  readonly ended: Promise<LaneEnd>;
  /** Resolves if the lane must recover again: a quarantine came that this run does not know. */
  readonly superseded: Promise<void>;
  readonly #ports: ActorPorts;
  readonly #settings: ActorSettings;
  readonly #watch: DirectoryWatch;
  readonly #heartbeats: Heartbeats;
  readonly #events: PlacementEvents;
  #components: LaneComponents | null = null;
  #times: RecoveryTimes | null = null;
  #caughtUp = false;
  #end: LaneEnd | null = null;
  #announceEnd: (end: LaneEnd) => void = () => {};
  #supersede: () => void = () => {};
  #givenUp = false;

  constructor(
    lane: number,
    ports: ActorPorts,
    settings: ActorSettings,
    watch: DirectoryWatch,
    events = aloneOnLanes,
  ) {
    this.lane = lane;
    this.#events = events;
    this.#ports = guardedPorts(ports, (error) => this.#fail(haltOf(error)));
    this.#settings = settings;
    this.#watch = watch;
    this.#heartbeats = new Heartbeats(
      this.#ports,
      settings.host,
      () => this.status(),
      () => this.#components?.replica,
    );
    this.ended = new Promise((resolve) => {
      this.#announceEnd = resolve;
    });
    this.superseded = new Promise((resolve) => {
      this.#supersede = resolve;
    });
  }

  /** Recovers and begins to follow; the lane is owned once `status().ownership` says so. */
  async start(): Promise<void> {
    try {
      const stopped = (): boolean => this.#end !== null;
      const recovered = await throughOutages(this.#ports.clock, stopped, async () => {
        this.#times = new RecoveryTimes(() => this.#ports.monitor.stopwatchSeconds());
        await this.#ports.log.prepareLane(this.lane);
        return recoverLane(this.lane, this.#ports, this.#times);
      });
      if (recovered === null) return;
      this.#assemble(recovered);
    } catch (error) {
      this.#fail(haltOf(error));
    }
  }

  status(): HostedLaneStatus {
    return statusOf(this.lane, this.#components, this.#caughtUp, this.#end);
  }

  /** The lane's engine while this host owns the lane; else null. */
  get ownedEngine(): LaneEngine | null {
    const components = this.#components;
    return components?.ownership.state === 'owning' && this.#end === null ? components.replica.engine : null;
  }

  /** Claims the lane, with `isWanted` unless another claim comes first. Owned once the claim is read back. */
  claim(isWanted?: () => boolean): void {
    const ownership = this.#components?.ownership;
    if (ownership === undefined || this.#end !== null || !this.#caughtUp) return;
    const claimed = isWanted === undefined ? ownership.claim() : ownership.claimOnce(isWanted);
    claimed.catch((error) => this.#fail(haltOf(error)));
  }

  ownerObserved(beat: Heartbeat): void {
    const components = this.#components;
    if (components === null || this.#end !== null || components.emitter.emitting) return;
    try {
      components.ownerHeads.observe(beat, components.replica);
      components.emitter.trim(beat.storedOutcome);
      components.witness.stored();
    } catch (error) {
      this.#fail(haltOf(error));
    }
  }

  requestSnapshot(): void {
    this.#components?.snapshots.demand();
  }

  /** Drains, within a limit: what was applied is stored, and a snapshot is kept. */
  async stop(): Promise<void> {
    const components = this.#components;
    this.#givenUp = true;
    if (this.#end === null) this.#finish({ kind: 'drained' });
    if (components === null) return;
    this.#deactivate(components);
    const drained = this.#drain(components).catch((error) => this.#alarm('not_drained', errorText(error)));
    await Promise.race([drained, pause(this.#ports.clock, drainWithinMs)]);
    await components.emitter.end();
  }

  /** Ends as a killed process would: nothing is drained. For tests. */
  async abort(): Promise<void> {
    const components = this.#components;
    this.#givenUp = true;
    if (this.#end === null) this.#finish({ kind: 'drained' });
    if (components === null) return;
    this.#deactivate(components);
    await components.emitter.end();
    await components.follower.stop();
    await Promise.all([components.snapshots.stop(), components.epochs.stop()]);
  }

  async #drain(components: LaneComponents): Promise<void> {
    await components.follower.stop();
    const { emitter, replica, snapshots, witness } = components;
    if (this.#end?.kind === 'drained' && (emitter.emitting || this.#caughtUp)) {
      if (emitter.emitting)
        await emitter.drained().catch((error) => this.#alarm('not_drained', errorText(error)));
      // A follower that comes back soon has little to replay, if its state is stored by now.
      else emitter.trim(await this.#ports.log.lastOutcome(this.lane));
      witness.recordHead();
      const isStored = emitter.emitting || emitter.storedOutcome >= replica.appliedSequence;
      await Promise.all([isStored ? snapshots.takeLast() : null, this.#ports.witness.written()]);
    }
    await Promise.all([components.snapshots.stop(), components.epochs.stop()]);
  }

  #assemble(recovered: Recovered): void {
    const ports = { ...this.#ports, failed: (error: unknown) => this.#fail(haltOf(error)) };
    for (const { sequence, user, reason } of recovered.quarantines.behind(recovered.storedOutcome))
      this.#alarm('quarantined', `${user} quarantined message ${sequence}: ${reason}`);
    const components = assembleLane(recovered, ports, this.#settings, this.#watch, {
      failed: (halt) => this.#fail(halt),
      conditionChanged: () => this.#conditionChanged(),
      isServedElsewhere: () => this.#isServedElsewhere(),
      placement: this.#events,
    });
    this.#components = {
      ...components,
      follower: ports.log.follow(this.lane, recovered.replica.appliedSequence + 1, {
        message: (stored) => this.#message(stored),
        caughtUp: (last) => this.#tailReached(last),
      }),
    };
    this.#components.follower.done.catch((error) => this.#fail(haltOf(error)));
  }

  #message(stored: StoredCommand): void | Promise<void> {
    const components = this.#components;
    if (components === null || this.#end !== null) return;
    try {
      const { replica } = components;
      if (stored.sequence <= replica.appliedSequence) return;
      if (stored.sequence > replica.appliedSequence + 1) {
        throw new LogError('hole', `Sequence ${stored.sequence} came after ${replica.appliedSequence}.`);
      }
      components.timeGuard.check(stored, components.emitter.storedOutcome);
      return this.#apply(components, stored) ?? undefined;
    } catch (error) {
      this.#fail(haltAt(stored.sequence, error));
    }
  }

  /** A returned promise asks the log to wait before the next message. */
  #apply(components: LaneComponents, stored: StoredCommand): Promise<void> | null {
    const { monitor } = this.#ports;
    const began = monitor.stopwatchSeconds();
    const applied = components.replica.apply(stored);
    const seconds = monitor.stopwatchSeconds() - began;
    monitor.applied(this.lane, applied.batch.commands.length, seconds);
    this.#times?.replayed(applied.batch.commands.length);
    if (components.headChecks.check(applied.sequence, components.replica.laneHead) === 'different') {
      throw new HeadMismatch(`The lane head of sequence ${applied.sequence} is not the stored one.`);
    }
    components.ownerHeads.applied(applied.sequence, components.replica.laneHead);
    // A claim is one on the own subject only: there its writer was fenced. From the claim on, its host emits.
    const change = stored.channel === 'own' ? components.ownership.observe(applied) : noChange;
    if (change.kind === 'lost') this.#lose(components);
    const capacity = components.emitter.accept(applied, stored, seconds);
    components.queries.applied();
    if (components.emitter.emitting) this.#emitted(components, applied, stored.bytes.length);
    components.snapshots.applied(applied.batch.commands.length, stored.bytes.length, seconds);
    if (stored.channel === 'quarantine' && stored.sequence > components.quarantines.readTo) {
      this.#superseded(stored);
      return null;
    }
    // Claims of a replay are of owners that may be long gone.
    if (change.claim !== null && this.#caughtUp)
      this.#events.claimed(this, change.claim.host, change.claim.term);
    if (change.kind === 'gained') return this.#gain(components);
    if (!components.emitter.emitting && components.emitter.hasTooMuchUnstored) {
      return this.#trimUnstored(components);
    }
    return capacity;
  }

  #emitted(components: LaneComponents, applied: AppliedMessage, bytes: number): void {
    components.capacity.took(bytes, applied.record.length);
    for (const touched of applied.outcome.instances) components.ticker.touch(touched.instance);
    for (const event of applied.outcome.events) {
      if (event.kind === 'InstanceChanged') components.ticker.touch(event.instance.instance);
      else if (event.kind === 'EpochRevealed') components.epochs.publish(event.instance, event.epoch);
    }
    components.ownerTasks.applied(applied);
  }

  #tailReached(lastSequence: number): void {
    const components = this.#components;
    if (components === null || this.#end !== null || this.#caughtUp) return;
    this.#ports.monitor.notice(this.lane, `Caught up at sequence ${lastSequence}.`);
    if (this.#times !== null) this.#ports.monitor.recovered(this.lane, this.#times.end());
    this.#times = null;
    this.#caughtUp = true;
    components.queries.start();
    components.snapshots.start();
    components.witness.start();
    this.#events.caughtUp(this);
  }

  /** Our claim was read back: everything before it is applied. The next message waits until this is done. */
  async #gain(components: LaneComponents): Promise<void> {
    await Promise.all([this.#beginToEmit(components), components.capacity.start()]);
    if (this.#end !== null) return;
    this.#ports.monitor.notice(this.lane, `Owned in term ${components.ownership.term}.`);
    components.ticker.start();
    components.ownerTasks.start();
    components.directory.start(components.ownership.term);
    components.epochs.start();
    this.#heartbeats.beat();
  }

  async #beginToEmit(components: LaneComponents): Promise<void> {
    if (components.emitter.emitting) return;
    const last = await this.#lastOutcome();
    if (last === null) return;
    try {
      components.emitter.begin(last);
    } catch (error) {
      this.#fail(haltOf(error));
    }
  }

  /**
   * More outcomes than may be kept are unstored. Where another owner stores them they are forgotten; where
   * none does they are stored now, which OUT's expected sequence makes harmless.
   */
  async #trimUnstored(components: LaneComponents): Promise<void> {
    const last = await this.#lastOutcome();
    if (last === null) return;
    components.emitter.trim(last);
    if (components.emitter.hasTooMuchUnstored) await this.#beginToEmit(components);
  }

  #lastOutcome(): Promise<number | null> {
    const { clock, log } = this.#ports;
    return throughOutages(
      clock,
      () => this.#end !== null,
      () => log.lastOutcome(this.lane),
    );
  }

  /** Another host owns the lane: this one follows it from here on, and may own it again. */
  #lose(components: LaneComponents): void {
    const message = 'Another host owns the lane now. This host follows it.';
    if (this.#events.expectsLoss(this.lane)) this.#ports.monitor.notice(this.lane, message);
    else this.#alarm('fenced', message);
    this.#stopOwnerWork(components);
    components.epochs = new EpochPublisher(components.replica, this.#ports, this.#settings.epochPage);
    components.emitter.follow().catch((error) => this.#fail(haltOf(error)));
  }

  #isServedElsewhere(): boolean {
    const ownership = this.#components?.ownership;
    if (ownership?.state === 'owning' || ownership?.claiming === true) return false;
    return this.#events.isServedElsewhere(this.lane);
  }

  /** Says that the lane halted, and before which message, until a quarantine comes that may bring it back. */
  async #announceHalt({ sequence, code }: Halt): Promise<void> {
    const halted = {
      lane: this.lane,
      readTo: this.#components?.quarantines.readTo ?? null,
      beat: () => {
        if (this.#events.isServedElsewhere(this.lane)) return;
        const appliedSequence = sequence === null ? this.status().appliedSequence : sequence - 1;
        this.#heartbeats.send('stopped', code, appliedSequence);
      },
      givenUp: () => this.#givenUp,
    };
    if (await untilQuarantined(halted, this.#ports)) this.#supersede();
  }

  /** Gateways learn it at once, before the next replies: they refuse before they send more. */
  #conditionChanged(): void {
    const components = this.#components;
    if (components !== null && this.#end === null && components.ownership.state === 'owning')
      this.#heartbeats.beat();
  }

  #stopOwnerWork(components: LaneComponents): void {
    this.#heartbeats.stop();
    components.capacity.stop();
    components.ticker.stop();
    components.ownerTasks.stop();
    components.directory.stop();
    components.epochs.stop().catch((error) => this.#fail(haltOf(error)));
  }

  #deactivate(components: LaneComponents): void {
    this.#stopOwnerWork(components);
    components.witness.stop();
    components.queries.stop();
    components.rebuilder.stop();
    components.ownership.stop();
    components.writer.stop();
  }

  /** This lane goes no further; nothing of its state is used any more. The others do not notice. */
  #fail(halt: Halt): void {
    if (this.#end !== null) return;
    this.#alarm(halt.code, alarmOf(halt));
    this.#finish({ kind: 'halted', ...halt });
    this.#fallSilent();
    this.#announceHalt(halt).catch((error) => this.#alarm('host_fault', errorText(error)));
  }

  /** OUT says what became of the message that the quarantine names: a new life asks it. */
  #superseded(stored: StoredCommand): void {
    if (quarantineOf(stored) === null) return;
    this.#ports.monitor.notice(this.lane, `Message ${stored.sequence} is a quarantine: recovering the lane.`);
    this.#finish({ kind: 'superseded' });
    this.#fallSilent();
    this.#supersede();
  }

  #fallSilent(): void {
    const components = this.#components;
    if (components === null) return;
    components.emitter.flush();
    this.#deactivate(components);
    // The follower waits for the handler that failed, so this must not wait for the follower.
    const endings = [
      components.follower.stop(),
      components.emitter.end(),
      components.snapshots.stop(),
      components.epochs.stop(),
    ];
    for (const ending of endings) ending.catch((reason) => this.#alarm('not_drained', errorText(reason)));
  }

  #alarm(code: AlarmCode, message: string): void {
    this.#ports.monitor.alarm(this.lane, code, message);
  }

  #finish(end: LaneEnd): void {
    this.#end = end;
    this.#announceEnd(end);
  }
}
