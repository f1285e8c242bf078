import { publicJackpots } from '../../contracts/feeds/public-feed.ts';
import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { type Envelope, type FeedEvent, frameOf } from '../../directory/events/feed-event.ts';
import type { Viewer } from '../../directory/events/viewer.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import { activeFirst } from '../../directory/public-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { feedBelowBytes, recoveryFrames, snapshotInstances } from '../base/limits.ts';
import type { FanoutMetrics } from '../base/metrics.ts';
import type { Closer } from '../connections/closing.ts';
import { CatchUp, type Connection } from '../connections/connection.ts';
import { sendStatus } from '../engines/engine.ts';
import { type ForeignFeedEvent, mayReceive } from '../events/foreign-event.ts';
import { type Interest, wants, wantsForeign, withoutSince } from '../scope/interest.ts';
import type { Scope } from '../scope/scope.ts';
import { History } from './history.ts';
import { listenersOf, Rooms, viewerOf } from './rooms.ts';
import type { Tickers } from './tickers.ts';
import { Updates } from './updates.ts';

interface HubPorts {
  readonly readModel: ReadModel;
  readonly metrics: FanoutMetrics;
  readonly tickers: Tickers;
  readonly closer: Closer;
  nowMs(): number;
  elapsedMs(): number;
  /** Sends a frame to all sockets of a topic. */
  publish(topic: string, frame: Buffer): void;
}

type CountedEvent = FeedEvent & { readonly counter: number };

/** O21 and O22: brings updates and events to the connections that want them. */
export class Hub {
  readonly updates: Updates;
  readonly #rooms = new Rooms();
  readonly #history = new History<CountedEvent>();
  readonly #recoveryFrames = new Map<string, Buffer>();
  readonly #ports: HubPorts;

  constructor(ports: HubPorts) {
    this.#ports = ports;
    this.updates = new Updates(ports.readModel, ports.elapsedMs);
  }

  join(connection: Connection, scope: Scope): void {
    this.#rooms.join(connection, scope);
  }

  leave(connection: Connection): void {
    connection.catchUp = null;
    this.#rooms.leave(connection);
  }

  /** Renewed credentials may bring other rights: then the subscription moves along. */
  changeScope(connection: Connection, scope: Scope): void {
    if (scope.key === connection.scope?.key) return;
    const { interest } = connection;
    if (interest !== null) this.#leaveTopics(connection, interest);
    this.#rooms.leave(connection);
    this.#rooms.join(connection, scope);
    if (interest === null) return;
    // What `since` asked for was sent, or waits for the socket: only the snapshot begins anew.
    connection.interest = withoutSince(interest);
    connection.catchUp ??= new CatchUp();
    this.#joinTopics(connection, interest);
    connection.catchUp.snapshotAnew(this.#snapshot(connection.scope ?? scope, interest));
    this.pump(connection);
  }

  /** Replaces what the connection wants, and sends its snapshot and what `since` asks for. */
  subscribe(connection: Connection, interest: Interest): void {
    const { scope } = connection;
    if (scope === null) return;
    if (connection.interest !== null) this.#leaveTopics(connection, connection.interest);
    connection.interest = interest;
    connection.subscribedOnce = true;
    connection.catchUp = new CatchUp();
    this.#joinTopics(connection, interest);
    const recovered = this.#recover(connection, scope, interest, connection.catchUp);
    if (!recovered.isComplete) {
      this.#ports.closer.close(connection, 'overloaded');
      return;
    }
    connection.catchUp.snapshot(this.#snapshot(scope, interest), recovered.answers);
    this.pump(connection);
  }

  unsubscribe(connection: Connection): void {
    if (connection.interest !== null) this.#leaveTopics(connection, connection.interest);
    connection.interest = null;
    connection.catchUp = null;
  }

  /** Sends all updates that are due. */
  publishDue(): void {
    const { publish, metrics, tickers } = this.#ports;
    const { conditions } = this.#ports.readModel;
    for (const known of this.updates.drainDue()) {
      // Silence shows the client what an old value would hide.
      if (conditions.fault(known.lane) !== null) continue;
      for (const { scope } of this.#rooms.all()) {
        if (!scope.sees(known)) continue;
        const frame = tickers.update(known, scope, this.#newestEvent(known));
        publish(scope.key, frame);
        publish(narrowTopic(scope, known.description.instance), frame);
        metrics.updatesPublished.inc();
      }
    }
  }

  /** Takes an event of a stored outcome record. One from before the start only enters the history. */
  event(event: FeedEvent, isLive: boolean): void {
    if (isCounted(event) && !this.#history.add(event)) return;
    if (!isLive) return;
    const known = this.#ports.readModel.known(event.instance);
    if (known === undefined) return;
    for (const room of this.#rooms.all()) {
      if (!room.scope.sees(known) || (event.isWin === true && !room.scope.showsWins(known))) continue;
      for (const { viewer, connections } of listenersOf(room, event)) {
        let envelope: Envelope | null = null;
        let frame: Buffer | null = null;
        for (const connection of connections) {
          const { interest } = connection;
          if (interest === null || !wants(interest, event.type, event.instance)) continue;
          envelope ??= event.encode(known, viewer);
          if (envelope === null) break;
          if (isCounted(event)) frame ??= frameOf(envelope, event.counter);
          else frame = frameOf(envelope, ++connection.privateSequence);
          this.#deliver(connection, frame, event);
        }
      }
    }
  }

  /** Who listens to an event of another platform now. */
  foreignRecipients(event: ForeignFeedEvent): Connection[] {
    const found: Connection[] = [];
    for (const room of this.#rooms.all()) {
      if (room.scope.operator !== operatorOf(event.brand) || !mayReceive(room.scope, event)) continue;
      const recipients =
        room.scope.kind === 'players' && event.player !== null ? room.of(event.player) : null;
      for (const connection of recipients ?? room.connections)
        if (hearsForeign(connection, event)) found.push(connection);
    }
    return found;
  }

  /** Delivers it to one of them, unless its socket has gone or changed its mind since. */
  foreignEvent(connection: Connection, event: ForeignFeedEvent): void {
    if (connection.socket === null || connection.scope === null) return;
    if (!mayReceive(connection.scope, event) || !hearsForeign(connection, event)) return;
    this.#deliver(connection, frameOf(event.envelope, ++connection.privateSequence), null);
  }

  expire(): void {
    this.#history.expire(this.#ports.nowMs());
    this.#recoveryFrames.clear();
  }

  /** The engine skipped an update for a socket that is too slow. */
  missedUpdate(connection: Connection): void {
    if (connection.closing !== null) return;
    this.#ports.metrics.updatesSkipped.inc();
    // What was published in this round and the one before may still have been on its way to the socket.
    connection.catchUp ??= new CatchUp();
    connection.catchUp.missedUpdates(this.updates.round - 2);
  }

  /** Sends what waits for a connection, as far as its socket has room. */
  pump(connection: Connection): void {
    const { catchUp, socket, scope } = connection;
    if (catchUp === null || socket === null || scope === null || connection.closing !== null) return;
    socket.cork(() => {
      const done = catchUp.pump({
        hasCapacity: () => connection.socket !== null && socket.getBufferedAmount() < feedBelowBytes,
        send: (frame) => void socket.send(frame, false),
        newest: (instance, recovered) => this.#newest(connection, scope, instance, recovered),
        publishedAfter: (round) => this.updates.publishedAfter(round),
      });
      if (done && connection.catchUp === catchUp) connection.catchUp = null;
    });
  }

  #deliver(connection: Connection, frame: Buffer, event: FeedEvent | null): void {
    this.#ports.metrics.eventsDelivered.inc();
    const { socket } = connection;
    if (socket === null || connection.closing !== null) return;
    if (connection.catchUp === null && socket.send(frame, false) !== sendStatus.dropped) return;
    connection.catchUp ??= new CatchUp();
    if (!connection.catchUp.queue(frame, event)) this.#ports.closer.close(connection, 'overloaded');
  }

  #newest(
    connection: Connection,
    scope: Scope,
    instance: string,
    recovered: boolean | undefined,
  ): Buffer | null {
    const { interest } = connection;
    const { readModel, tickers } = this.#ports;
    const known = readModel.known(instance);
    if (known === undefined || interest === null || !scope.sees(known)) return null;
    if (!wants(interest, 'JackpotUpdate', instance)) return null;
    const newest = this.#newestEvent(known);
    const sequence = connection.catchUp?.eventSequence(instance, newest) ?? newest;
    return recovered === undefined
      ? tickers.update(known, scope, sequence)
      : tickers.snapshot(known, scope, sequence, recovered);
  }

  #newestEvent({ description: { instance, eventCounter } }: KnownInstance): number {
    return this.#history.newest(instance, eventCounter);
  }

  #snapshot(scope: Scope, interest: Interest): string[] {
    const selection = interest.selections.get('JackpotUpdate');
    if (selection === undefined) return [];
    const { readModel } = this.#ports;
    function* visible() {
      for (const instance of selection === 'all' ? readModel.lanes.instances.keys() : (selection ?? [])) {
        const known = readModel.known(instance);
        if (known === undefined || !scope.sees(known)) continue;
        if (readModel.conditions.fault(known.lane) === null) yield known;
      }
    }
    const limit = scope.kind === 'public' ? publicJackpots : snapshotInstances;
    return activeFirst(visible(), limit).map(({ description }) => description.instance);
  }

  /** Queues the counted events after `since`; says for each instance whether they are all there. */
  #recover(
    connection: Connection,
    scope: Scope,
    interest: Interest,
    catchUp: CatchUp,
  ): { readonly isComplete: boolean; readonly answers: ReadonlyMap<string, boolean> | null } {
    if (interest.since.size === 0) return { isComplete: true, answers: null };
    const answers = new Map<string, boolean>();
    for (const [instance, since] of interest.since) {
      const known = this.#ports.readModel.known(instance);
      if (known === undefined || !scope.sees(known)) continue;
      const last = known.description.eventCounter;
      const recovery = this.#history.after(instance, since, last, this.#ports.nowMs());
      answers.set(instance, recovery.complete);
      if (!recovery.complete) continue;
      for (const event of recovery.events) {
        if (!wants(interest, event.type, instance)) continue;
        if (event.isWin === true && !scope.showsWins(known)) continue;
        const frame = this.#recoveryFrame(connection, scope, known, event);
        if (frame !== null && !catchUp.queue(frame, event)) return { isComplete: false, answers };
      }
    }
    return { isComplete: true, answers };
  }

  #recoveryFrame(
    connection: Connection,
    scope: Scope,
    known: KnownInstance,
    event: CountedEvent,
  ): Buffer | null {
    const viewer = viewerOf(connection, scope, event);
    if (viewer === null) return null;
    if (viewer !== scope) return frameOfEvent(event, known, viewer);
    const key = `${scope.key} ${event.instance} ${event.counter}`;
    const cached = this.#recoveryFrames.get(key);
    if (cached !== undefined) return cached;
    const frame = frameOfEvent(event, known, scope);
    if (frame !== null && this.#recoveryFrames.size < recoveryFrames) this.#recoveryFrames.set(key, frame);
    return frame;
  }

  #joinTopics(connection: Connection, interest: Interest): void {
    for (const topic of topicsOf(connection.scope, interest)) connection.socket?.subscribe(topic);
  }

  #leaveTopics(connection: Connection, interest: Interest): void {
    for (const topic of topicsOf(connection.scope, interest)) connection.socket?.unsubscribe(topic);
  }
}

function hearsForeign({ interest }: Connection, event: ForeignFeedEvent): boolean {
  return interest !== null && wantsForeign(interest, event.source, event.type);
}

/** Updates are published on the scope's key, and on a topic of the instance for narrowed connections. */
function topicsOf(scope: Scope | null, interest: Interest): string[] {
  const selection = interest.selections.get('JackpotUpdate');
  if (selection === undefined || scope === null) return [];
  if (selection === 'all') return [scope.key];
  return [...selection].map((instance) => narrowTopic(scope, instance));
}

function narrowTopic(scope: Scope, instance: string): string {
  return `${scope.key}/${instance}`;
}

function frameOfEvent(event: CountedEvent, known: KnownInstance, viewer: Viewer): Buffer | null {
  const envelope = event.encode(known, viewer);
  return envelope === null ? null : frameOf(envelope, event.counter);
}

function isCounted(event: FeedEvent): event is CountedEvent {
  return event.counter !== null;
}
