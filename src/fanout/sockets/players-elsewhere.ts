import { pollIntervalMs, Silence } from '../../lib/silence.ts';
import type { Bus } from '../../ports.ts';

/** How often a fan-out tells the others what changed, and how often all of it again: messages may be lost. */
export const announceEveryMs = 250;
const announceAllEveryMs = 30_000;
/** A fan-out tells at least this often that it lives; one that was not heard for longer is gone. */
const beatEveryMs = 1_000;
const goneAfterMs = 5_000;
/** Players of one message. */
const playersOfMessage = 500;

interface Ports {
  readonly bus: Bus;
  /** Every fan-out publishes there and listens there. */
  readonly subject: string;
  /** This process, unlike every other one. */
  readonly process: string;
  /** Sockets of each player here. */
  readonly here: { of(player: string): number; entries(): Iterable<readonly [string, number]> };
  elapsedMs(): number;
}

/** `all`: a part of everything, the first or last one; absent: what changed. */
interface Announcement {
  readonly process: string;
  readonly all?: { readonly first: boolean; readonly last: boolean };
  readonly players: readonly (readonly [player: string, sockets: number])[];
}

interface Peer {
  readonly silence: Silence;
  players: Map<string, number>;
  /** What has come of everything; null: nothing is on its way. */
  arriving: Map<string, number> | null;
}

/**
 * Sockets that players have at other fan-outs, as those tell it over the bus: a player's limit holds over all
 * of them, give or take what opens within a quarter of a second (docs/rules/feeds.md "Several fan-outs").
 */
export class PlayersElsewhere {
  readonly #ports: Ports;
  readonly #peers = new Map<string, Peer>();
  readonly #changed = new Set<string>();
  readonly #subscription: { stop(): void };
  readonly #timers: NodeJS.Timeout[];
  #announcedAllMs = Number.NEGATIVE_INFINITY;
  #announcedMs = Number.NEGATIVE_INFINITY;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#subscription = ports.bus.subscribe(ports.subject, ({ bytes }) => this.#received(bytes));
    this.#timers = [
      setInterval(() => this.#announce(), announceEveryMs),
      setInterval(() => this.#forgetGone(), pollIntervalMs),
    ];
  }

  of(player: string): number {
    let sockets = 0;
    for (const { players } of this.#peers.values()) sockets += players.get(player) ?? 0;
    return sockets;
  }

  changed(player: string): void {
    if (this.#peers.size > 0) this.#changed.add(player);
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#subscription.stop();
  }

  #announce(): void {
    const { here, elapsedMs } = this.#ports;
    const nowMs = elapsedMs();
    const changes = [...this.#changed].map((player) => [player, here.of(player)] as const);
    this.#changed.clear();
    if (this.#peers.size > 0 && nowMs - this.#announcedAllMs >= announceAllEveryMs) {
      this.#announcedAllMs = nowMs;
      this.#send([...here.entries()], true);
    } else if (changes.length > 0 || nowMs - this.#announcedMs >= beatEveryMs) this.#send(changes, false);
    else return;
    this.#announcedMs = nowMs;
  }

  #send(players: readonly (readonly [string, number])[], areAll: boolean): void {
    const { bus, subject, process } = this.#ports;
    let at = 0;
    do {
      const part = players.slice(at, at + playersOfMessage);
      const [first, last] = [at === 0, at + playersOfMessage >= players.length];
      const announced: Announcement = { process, players: part, ...(areAll ? { all: { first, last } } : {}) };
      bus.publish(subject, Buffer.from(JSON.stringify(announced)));
      at += playersOfMessage;
    } while (at < players.length);
  }

  #received(bytes: Uint8Array): void {
    const announced = readAnnouncement(bytes);
    if (announced === null || announced.process === this.#ports.process) return;
    const known = this.#peers.get(announced.process);
    const peer = known ?? { silence: new Silence(), players: new Map(), arriving: null };
    if (known === undefined) {
      this.#peers.set(announced.process, peer);
      // A newcomer knows nothing of the players here.
      this.#announcedAllMs = Number.NEGATIVE_INFINITY;
    }
    peer.silence.reset();
    if (announced.all?.first === true) peer.arriving = new Map();
    for (const [player, sockets] of announced.players) {
      for (const players of [peer.players, peer.arriving]) {
        if (sockets > 0) players?.set(player, sockets);
        else players?.delete(player);
      }
    }
    if (announced.all?.last !== true || peer.arriving === null) return;
    peer.players = peer.arriving;
    peer.arriving = null;
  }

  #forgetGone(): void {
    for (const [process, { silence }] of this.#peers) {
      silence.polled();
      if (silence.ms > goneAfterMs) this.#peers.delete(process);
    }
  }
}

/** null: it is of another release. */
function readAnnouncement(bytes: Uint8Array): Announcement | null {
  try {
    const announced = JSON.parse(Buffer.from(bytes).toString()) as Partial<Announcement>;
    return typeof announced.process === 'string' && Array.isArray(announced.players)
      ? (announced as Announcement)
      : null;
  } catch {
    return null;
  }
}
