import { type LanePlacement, type PlacedHost, placeLanes } from '../../contracts/lanes/place-lanes.ts';
import { entryOf } from '../../contracts/lanes/placement-orders.ts';
import type { EngineRange } from '../../jackpot/lane/versions/versions.ts';
import { pause } from '../../lib/pauses.ts';
import { errorText } from '../../log/base/error-text.ts';
import { allHeartbeatsSubject } from '../../log/base/names.ts';
import { overwriteEntry } from '../../log/base/overwrite-entry.ts';
import { decodeHeartbeat } from '../../messages/codec/codec.ts';
import type { PlacementOrder, PlacementView } from '../../messages/placement.ts';
import type { Bus, Clock, Table } from '../../ports.ts';
import type { ActorHost } from '../lane/actor-host.ts';
import type { HostedLaneStatus } from '../lane/lane-status.ts';
import type { ClaimableLane, PlacementEvents } from '../lane/placement-events.ts';
import type { ActorMonitor } from '../ports/actor-ports.ts';
import { type ClaimDecision, decideClaim, ownerFailedMs } from './claim-rule.ts';
import { claimName, type HostRecordRow, processOf, recordRow } from './host-record.ts';
import { Membership } from './membership.ts';
import { MoveLease } from './move-lease.ts';
import { highestVersion, nextVersion } from './next-version.ts';
import { ObservedOwners } from './observed-owners.ts';
import { OverrideWatch } from './overrides.ts';
import { OwnerPulse } from './owner-pulse.ts';
import { placementView } from './placement-view.ts';
import { Presences } from './presences.ts';

const pollMs = 50;
/** A move whose claim was not read back by then is given up; the next poll decides again. */
const maxMoveMs = 3_000;
/** Two missed heartbeats: a follower answers queries in place of the owner. */
const ownerQuietMs = 450;
/** A follower that the placement no longer names is kept for this long after it lost the lane. */
const keepAfterLossMs = 2_000;
const maxHandOverMs = 3_500;
const handOverPollMs = 10;

interface PlacementPorts {
  readonly hosts: Table;
  readonly placement: Table;
  readonly leases: Table;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly monitor: Pick<ActorMonitor, 'alarm' | 'notice'>;
  readonly hostId: string;
  readonly life: string;
  readonly lanes: number;
  readonly engine: EngineRange;
  readonly keys: () => readonly string[];
  /** This host took a lane from another one, which had been silent for `seconds`. */
  readonly tookOver?: (lane: number, seconds: number) => void;
}

/**
 * Decides which lanes this host follows and when it claims one (docs/decisions/0300). Every host computes the
 * same placement from KV HOSTS and KV PLACEMENT and acts for itself: there is no coordinator that could be
 * gone.
 */
export class PlacedLanes implements PlacementEvents {
  readonly #ports: PlacementPorts;
  readonly #host: () => ActorHost;
  readonly #membership: Membership;
  readonly #overrides = new OverrideWatch();
  readonly #moves: MoveLease;
  readonly #pulses: readonly OwnerPulse[];
  readonly #presences: Presences;
  /** Polls since this host lost a lane. */
  readonly #sinceLoss = new Map<number, number>();
  #placements: readonly LanePlacement[] = [];
  readonly #alarmed = new Set<number>();
  readonly #owners: ObservedOwners;
  #placedFor = '';
  /** A lane has an engine version that this host does not run. */
  #isOutdated = false;
  #moving: { readonly lane: number; polls: number } | null = null;
  #interruptions = 0;
  #subscription: { stop(): void } | null = null;
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(ports: PlacementPorts, host: () => ActorHost) {
    this.#ports = ports;
    this.#host = host;
    this.#pulses = Array.from({ length: ports.lanes }, () => new OwnerPulse());
    this.#presences = new Presences(ports.bus, claimName(ports.hostId, ports.life), pollMs);
    this.#owners = new ObservedOwners(ports.hostId, ports.clock, ports.tookOver ?? (() => {}));
    this.#moves = new MoveLease(ports.leases, `${ports.hostId}.${ports.life}`, pollMs);
    this.#membership = new Membership({
      table: ports.hosts,
      clock: ports.clock,
      hostId: ports.hostId,
      life: ports.life,
      engine: ports.engine,
      keys: ports.keys,
      pollMs,
      lanes: () => this.#lanes(),
      replaced: () => this.#replaced(),
      report: (message) => ports.monitor.alarm(0, 'host_fault', message),
    });
  }

  async start(): Promise<void> {
    this.#presences.start();
    this.#subscription = this.#ports.bus.subscribe(allHeartbeatsSubject, ({ bytes }) => this.#beat(bytes));
    await Promise.all([this.#membership.start(), this.#overrides.start(this.#ports.placement)]);
    this.#poll();
    this.#pollLater();
  }

  async handOver(): Promise<void> {
    await this.#membership.leave().catch(() => {});
    const { clock } = this.#ports;
    for (let leftMs = maxHandOverMs; leftMs > 0; leftMs -= handOverPollMs) {
      const owned = this.#host()
        .statuses()
        .filter(({ ownership, halted }) => ownership === 'owning' && !halted);
      if (owned.length === 0 || !this.#hasSuccessor()) return;
      await pause(clock, handOverPollMs);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    this.#subscription?.stop();
    this.#presences.stop();
    await Promise.all([this.#moves.release(), this.#overrides.stop(), this.#membership.stop()]);
  }

  /** Why this host should not count as ready; null: it may. */
  unready(): string | null {
    if (this.#membership.isReplaced) return 'host_replaced';
    if (this.#isOutdated) return 'engine_version_unsupported';
    const host = this.#host();
    for (const [lane, { owner }] of this.#placements.entries()) {
      if (owner === this.#ports.hostId && host.status(lane) === null) return `lane_${lane}_not_followed`;
    }
    return this.#placements.length === 0 ? 'not_placed' : null;
  }

  caughtUp({ lane }: ClaimableLane): void {
    this.#decide(lane);
  }

  claimed({ lane }: ClaimableLane, by: string, term: number): void {
    this.#pulses[lane]?.claimed(by, term);
    this.#alarmed.delete(lane);
    const isOurs = this.#pulses[lane]?.host === this.#ports.hostId;
    if (!isOurs) this.#sinceLoss.set(lane, 0);
    // After the message that is being applied: then the lane's status says who owns it.
    this.#ports.clock.after(0, () => {
      if (this.#stopped) return;
      if (this.#moving?.lane === lane) this.#endMove();
      this.#membership.announce().catch(() => {});
      this.#poll();
    });
  }

  /** Moves are ordinary, and a host that takes a lane from a failed one raises the alarm itself. */
  expectsLoss(): boolean {
    return true;
  }

  isServedElsewhere(lane: number): boolean {
    const pulse = this.#pulses[lane];
    if (pulse === undefined || pulse.host === null || pulse.host === this.#ports.hostId) return false;
    return pulse.silentMs(pollMs) < ownerQuietMs;
  }

  hasStandby(lane: number): boolean {
    for (const { lanes } of this.#membership.peers.values())
      if (lanes.some((row) => row.lane === lane && row.duty === 'w')) return true;
    return false;
  }

  othersHaveKey(keyId: string): boolean {
    return this.#membership.othersHaveKey(keyId);
  }

  view(): PlacementView {
    const hosts = new Map([[this.#ports.hostId, this.#membership.record], ...this.#membership.peers]);
    const placements = this.#placements;
    return placementView({ hosts, placements, overrides: this.#overrides, owners: this.#owners });
  }

  async order(order: PlacementOrder): Promise<boolean> {
    await overwriteEntry(this.#ports.placement, entryOf(order));
    return true;
  }

  nextEngineVersion(lane: number, isEmpty: boolean): number | null {
    const { known, isLeaving, isReplaced } = this.#membership;
    const { maxEngineVersion: maxVersion, isCurrent } = this.#overrides;
    const version = this.#host().status(lane)?.engineVersion;
    if (known === null || !isCurrent || isLeaving || isReplaced || version === undefined) return null;
    if (version >= this.#ports.engine.newest) return null;
    const self = { engine: this.#ports.engine, lanes: this.#lanes() };
    return nextVersion({ lane, version, isEmpty, hosts: [self, ...known], maxVersion });
  }

  #pollLater(): void {
    const poll = (): void => {
      this.#noteInterruptions();
      // While this host is cut off, the silence of others does not count.
      if (this.#ports.bus.connected()) {
        this.#membership.polled();
        this.#moves.polled();
        this.#presences.polled();
        for (const [lane, pulse] of this.#pulses.entries()) pulse.polled(this.#host().status(lane));
      }
      for (const [lane, polls] of this.#sinceLoss) this.#sinceLoss.set(lane, polls + 1);
      this.#abandonMove();
      this.#poll();
      if (!this.#stopped) this.#pollLater();
    };
    this.#cancel = this.#ports.clock.after(pollMs, poll, 'aligned');
  }

  #poll(): void {
    if (this.#stopped) return;
    this.#place();
    for (let lane = 0; lane < this.#ports.lanes; lane += 1) {
      this.#follow(lane);
      // One that hangs has until its silence is long; one that has ended is replaced at once.
      if (this.#isPlacedHere(lane))
        this.#presences.askForOwner(lane, this.#pulses[lane] as OwnerPulse, () => this.#decide(lane));
      this.#decide(lane);
    }
  }

  #place(): void {
    const hosts = this.#placedHosts();
    const { pins } = this.#overrides;
    const key = JSON.stringify([hosts, [...pins]]);
    if (key === this.#placedFor) return;
    this.#placedFor = key;
    this.#placements = placeLanes(this.#ports.lanes, hosts, pins);
  }

  #placedHosts(): readonly PlacedHost[] {
    const { hostId } = this.#ports;
    const { drained } = this.#overrides;
    const { isSettled, isLeaving, isReplaced, peers } = this.#membership;
    const version = highestVersion([this.#lanes(), ...[...peers.values()].map(({ lanes }) => lanes)]);
    this.#judgeEngine(version);
    const isUnfit = isLeaving || isReplaced || this.#isOutdated;
    const self = { id: hostId, isSettled, isLeaving: isUnfit || drained.has(hostId) };
    const others = [...peers].map(([id, record]) => ({
      id,
      isSettled: record.isSettled,
      isLeaving: record.isLeaving || record.engine.newest < version || drained.has(id),
    }));
    return [self, ...others];
  }

  /** A host with older software than a lane needs is placed only where no other can be. */
  #judgeEngine(version: number): void {
    const { newest } = this.#ports.engine;
    const isOutdated = newest < version;
    if (isOutdated && !this.#isOutdated) {
      const message = `Lanes have version ${version} of the engine, and this host runs none above ${newest}: it takes no lanes. Replace its software.`;
      this.#ports.monitor.alarm(0, 'engine_version_unsupported', message);
    }
    this.#isOutdated = isOutdated;
  }

  #lanes(): readonly HostRecordRow[] {
    return this.#host().statuses().map(recordRow);
  }

  /** A lane lives on its two hosts, and on its owner until another host has taken it over. */
  #follow(lane: number): void {
    const host = this.#host();
    const status = host.status(lane);
    const isPlaced = this.#isPlacedHere(lane);
    if (status === null) {
      if (isPlaced && !this.#membership.isLeaving && !this.#membership.isReplaced) host.add(lane);
      return;
    }
    if (isPlaced || status.ownership === 'owning' || !this.#isWellElsewhere(lane)) return;
    const sinceLoss = (this.#sinceLoss.get(lane) ?? Number.POSITIVE_INFINITY) * pollMs;
    if (sinceLoss < keepAfterLossMs) return;
    this.#sinceLoss.delete(lane);
    host.remove(lane).catch((error) => this.#ports.monitor.alarm(lane, 'host_fault', errorText(error)));
  }

  #isPlacedHere(lane: number): boolean {
    const { hostId } = this.#ports;
    const placement = this.#placements[lane];
    return placement?.owner === hostId || placement?.standby === hostId;
  }

  #isWellElsewhere(lane: number): boolean {
    const { owner, standby } = this.#placements[lane] ?? { owner: null, standby: null };
    if (owner === null || this.#pulses[lane]?.host !== owner || !this.isServedElsewhere(lane)) return false;
    const rows = standby === null ? [] : (this.#membership.peers.get(standby)?.lanes ?? []);
    return standby === null || rows.some((row) => row.lane === lane && row.duty === 'w');
  }

  #decide(lane: number): void {
    const status = this.#host().status(lane);
    if (status === null || !status.caughtUp || status.halted || status.ownership === 'owning') return;
    if (this.#stopped || this.#membership.isReplaced) return;
    const decision = this.#decision(lane, status);
    if (decision === 'claim') this.#claim(lane);
    else if (decision === 'move') this.#move(lane);
  }

  #claim(lane: number): void {
    const { host = null } = this.#pulses[lane] ?? {};
    const isFailed = host !== null && host !== this.#ports.hostId;
    if (isFailed && !this.#alarmed.has(lane)) {
      const fault = this.#pulses[lane]?.isGone
        ? 'is not connected to nats-server any more'
        : `sent no heartbeat for ${ownerFailedMs} ms`;
      const message = `The host ${host} ${fault}. This host claims the lane.`;
      this.#ports.monitor.alarm(lane, 'owner_failed', message);
      this.#alarmed.add(lane);
    }
    this.#host().claim(lane, () => this.#wantsToClaim(lane));
  }

  /** Facts may change while a claim waits for the log. */
  #wantsToClaim(lane: number): boolean {
    const status = this.#host().status(lane);
    if (this.#stopped || this.#membership.isReplaced || status === null) return false;
    this.#noteInterruptions();
    return this.#decision(lane, status) !== 'wait';
  }

  /** Whom this host did not hear while its connection was down need not be silent. */
  #noteInterruptions(): void {
    const interruptions = this.#ports.bus.interruptions();
    if (interruptions === this.#interruptions) return;
    this.#interruptions = interruptions;
    for (const pulse of this.#pulses) pulse.interrupted();
    this.#presences.interrupted();
  }

  #decision(lane: number, status: HostedLaneStatus): ClaimDecision {
    const pulse = this.#pulses[lane] as OwnerPulse;
    return decideClaim({
      self: this.#ports.hostId,
      placement: this.#placements[lane] ?? { owner: null, standby: null },
      owner: pulse.host,
      silentMs: pulse.silentMs(pollMs),
      isGone: pulse.isGone,
      isHeard: pulse.isHeard,
      isLeasedElsewhere: [...this.#membership.peers.values()].some(({ lanes }) =>
        lanes.some((row) => row.lane === lane && row.duty === 'o'),
      ),
      lag: pulse.lagOf(status),
      keptUpMs: pulse.keptUpMs(pollMs),
    });
  }

  /** One lane at a time, in the whole system. */
  #move(lane: number): void {
    if (this.#moving !== null) return;
    this.#moving = { lane, polls: 0 };
    this.#moves
      .acquire()
      .then((isOurs) => {
        const isWanted = (): boolean => this.#moving?.lane === lane && this.#wantsToClaim(lane);
        if (isOurs && isWanted()) this.#host().claim(lane, isWanted);
        else this.#endMove();
      })
      .catch((error) => {
        this.#moving = null;
        this.#ports.monitor.alarm(lane, 'host_fault', errorText(error));
      });
  }

  #abandonMove(): void {
    if (this.#moving === null) return;
    this.#moving.polls += 1;
    if (this.#moving.polls * pollMs >= maxMoveMs) this.#endMove();
  }

  #endMove(): void {
    this.#moving = null;
    this.#moves.release().catch((error) => this.#ports.monitor.alarm(0, 'host_fault', errorText(error)));
  }

  #hasSuccessor(): boolean {
    return this.#placedHosts().some(({ id, isLeaving }) => id !== this.#ports.hostId && !isLeaving);
  }

  #beat(bytes: Uint8Array): void {
    const beat = decodeHeartbeat(bytes);
    if (beat.lane < this.#ports.lanes) this.#owners.beat(beat);
    const pulse = this.#pulses[beat.lane];
    if (pulse?.beat(beat) !== true) return;
    this.#presences.observe(processOf(beat.host));
    this.#host().ownerObserved(beat);
  }

  #replaced(): void {
    const message = `Another process runs as host ${this.#ports.hostId}: this one claims nothing as long as that runs. Stop one of them, or give it another POTSTREAM_HOST_ID.`;
    this.#ports.monitor.alarm(0, 'host_replaced', message);
  }
}
