import type { Replica } from '../directory/replica.ts';
import { CatchUp } from './catch-up.ts';
import { type CloseReason, closeCodes } from './close-codes.ts';
import type { Connection } from './connection.ts';
import { sendStatus } from './engine.ts';
import type { FeedEvent } from './events/feed-event.ts';
import { History } from './history.ts';
import { type Interest, wants } from './interest.ts';
import { feedBelowBytes, snapshotInstances } from './limits.ts';
import type { FanoutMetrics } from './metrics.ts';
import { type Scope, Scopes } from './scope.ts';
import { Updates } from './updates.ts';

export interface HubPorts {
  readonly replica: Replica;
  readonly metrics: FanoutMetrics;
  nowMs(): number;
  /** Sends a frame to all sockets of a topic. */
  publish(topic: string, frame: Buffer): void;
}

type CountedEvent = FeedEvent & { readonly counter: number };

/** Brings updates and events to the connections that want them. Synchronous; whoever calls it has the time. */
export class Hub {
  readonly connections = new Set<Connection>();
  readonly scopes = new Scopes();
  readonly updates: Updates;
  readonly #history = new History<CountedEvent>();
  readonly #ports: HubPorts;
  /** False while what arrives is still the past: it goes to the history only. */
  #live = false;

  constructor(ports: HubPorts) {
    this.#ports = ports;
    this.updates = new Updates(ports.replica, ports.nowMs);
  }

  join(connection: Connection, scope: Scope): void {
    this.connections.add(connection);
    connection.scope = this.scopes.join(scope, connection);
  }

  leave(connection: Connection): void {
    connection.socket = null;
    connection.catchUp = null;
    this.connections.delete(connection);
    this.scopes.leave(connection.scope, connection);
  }

  /** Renewed credentials may bring other rights: then the subscription moves along. */
  changeScope(connection: Connection, scope: Scope): void {
    if (scope.key === connection.scope.key) return;
    const { interest } = connection;
    if (interest !== null) this.#leaveTopics(connection, interest);
    this.scopes.leave(connection.scope, connection);
    connection.scope = this.scopes.join(scope, connection);
    if (interest !== null) this.subscribe(connection, interest);
  }

  /** Replaces what the connection wants, and sends its snapshot and what `since` asks for. */
  subscribe(connection: Connection, interest: Interest): void {
    if (connection.interest !== null) this.#leaveTopics(connection, connection.interest);
    connection.interest = interest;
    connection.subscribedOnce = true;
    connection.catchUp = new CatchUp();
    this.#joinTopics(connection, interest);
    const recovered = this.#recover(connection, interest, connection.catchUp);
    if (!recovered.kept) {
      this.close(connection, 'overloaded');
      return;
    }
    connection.catchUp.snapshot(this.#snapshot(connection.scope, interest), recovered.answers);
    this.pump(connection);
  }

  unsubscribe(connection: Connection): void {
    if (connection.interest !== null) this.#leaveTopics(connection, connection.interest);
    connection.interest = null;
    connection.catchUp = null;
  }

  /** Sends all updates that are due. */
  publishDue(): void {
    const { publish, metrics } = this.#ports;
    for (const known of this.updates.takeDue()) {
      for (const scope of this.scopes.all()) {
        if (!scope.sees(known)) continue;
        const frame = this.updates.frame(known, scope);
        publish(scope.topic, frame);
        publish(narrowTopic(scope, known.description.instance), frame);
        metrics.updatesPublished.inc();
      }
    }
  }

  /** Takes in an event of a stored outcome record. */
  event(event: FeedEvent): void {
    if (isCounted(event) && !this.#history.add(event)) return;
    if (!this.#live) return;
    const known = this.#ports.replica.known(event.instance);
    if (known === undefined) return;
    for (const scope of this.scopes.all()) {
      if (!scope.sees(known) || !event.visibleTo(scope)) continue;
      let frame: Buffer | null = null;
      for (const connection of scope.connections) {
        const { interest } = connection;
        if (interest === null || !wants(interest, event.type, event.instance)) continue;
        if (!isCounted(event)) frame = event.encode(known, scope, ++connection.privateSequence);
        else frame ??= event.encode(known, scope, 0);
        this.#deliver(connection, frame);
      }
    }
  }

  /** From now on events go to connections; those before were history. */
  goLive(): void {
    this.#live = true;
  }

  expireHistory(): void {
    this.#history.expire(this.#ports.nowMs());
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
    const { catchUp, socket, closing } = connection;
    if (socket !== null && closing !== null && socket.getBufferedAmount() < feedBelowBytes)
      socket.end(closeCodes[closing.reason], closing.reason);
    if (catchUp === null || socket === null || closing !== null) return;
    socket.cork(() => {
      const done = catchUp.pump({
        hasRoom: () => connection.socket !== null && socket.getBufferedAmount() < feedBelowBytes,
        send: (frame) => void socket.send(frame, false),
        newest: (instance, recovered) => this.#newest(connection, instance, recovered),
        publishedAfter: (round) => this.updates.publishedAfter(round),
      });
      if (done && connection.catchUp === catchUp) connection.catchUp = null;
    });
  }

  close(connection: Connection, reason: CloseReason): void {
    const { socket } = connection;
    if (socket === null || connection.closing !== null) return;
    this.#ports.metrics.closes.inc({ reason });
    if (socket.getBufferedAmount() < feedBelowBytes) {
      socket.end(closeCodes[reason], reason);
      return;
    }
    // The engine would drop the close frame of a slow socket, too: it goes out when the socket drains.
    this.unsubscribe(connection);
    connection.closing = { reason, sinceMs: this.#ports.nowMs() };
  }

  #deliver(connection: Connection, frame: Buffer): void {
    this.#ports.metrics.eventsDelivered.inc();
    const { socket } = connection;
    if (socket === null) return;
    if (connection.catchUp === null && sendStatus(socket.send(frame, false)) !== 'dropped') return;
    connection.catchUp ??= new CatchUp();
    if (!connection.catchUp.keep(frame)) this.close(connection, 'overloaded');
  }

  #newest(connection: Connection, instance: string, recovered: boolean | undefined): Buffer | null {
    const { interest, scope } = connection;
    const known = this.#ports.replica.known(instance);
    if (known === undefined || interest === null || !scope.sees(known)) return null;
    if (!wants(interest, 'JackpotUpdate', instance)) return null;
    if (recovered !== undefined) return this.updates.snapshotFrame(known, recovered);
    return this.updates.frame(known, scope);
  }

  #snapshot(scope: Scope, interest: Interest): string[] {
    const selection = interest.selections.get('JackpotUpdate');
    if (selection === undefined) return [];
    const found: string[] = [];
    for (const instance of selection === 'all' ? this.#ports.replica.lanes.instances.keys() : selection) {
      const known = this.#ports.replica.known(instance);
      if (known === undefined || !scope.sees(known)) continue;
      found.push(instance);
      if (found.length === snapshotInstances) break;
    }
    return found;
  }

  /** Queues the counted events after `since`; says for each instance whether they are all there. */
  #recover(
    connection: Connection,
    interest: Interest,
    catchUp: CatchUp,
  ): { readonly kept: boolean; readonly answers: ReadonlyMap<string, boolean> | null } {
    if (interest.since.size === 0) return { kept: true, answers: null };
    const answers = new Map<string, boolean>();
    for (const [instance, since] of interest.since) {
      const known = this.#ports.replica.known(instance);
      if (known === undefined || !connection.scope.sees(known)) continue;
      const recovery = this.#history.after(instance, since, this.#ports.nowMs());
      answers.set(instance, recovery.complete);
      if (!recovery.complete) continue;
      for (const event of recovery.events) {
        if (!wants(interest, event.type, instance)) continue;
        if (!catchUp.keep(event.encode(known, connection.scope, 0))) return { kept: false, answers };
      }
    }
    return { kept: true, answers };
  }

  #joinTopics(connection: Connection, interest: Interest): void {
    for (const topic of topicsOf(connection.scope, interest)) connection.socket?.subscribe(topic);
  }

  #leaveTopics(connection: Connection, interest: Interest): void {
    for (const topic of topicsOf(connection.scope, interest)) connection.socket?.unsubscribe(topic);
  }
}

function topicsOf(scope: Scope, interest: Interest): string[] {
  const selection = interest.selections.get('JackpotUpdate');
  if (selection === undefined) return [];
  if (selection === 'all') return [scope.topic];
  return [...selection].map((instance) => narrowTopic(scope, instance));
}

function narrowTopic(scope: Scope, instance: string): string {
  return `${scope.topic}/${instance}`;
}

function isCounted(event: FeedEvent): event is CountedEvent {
  return event.counter !== null;
}
