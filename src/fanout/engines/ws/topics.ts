import type { WsSocket } from './socket.ts';

/** Who is subscribed to which topic. */
export class Topics<Data> {
  readonly #sockets = new Map<string, Set<WsSocket<Data>>>();

  /** False if the socket was subscribed already. */
  join(socket: WsSocket<Data>, topic: string): boolean {
    if (socket.topics.has(topic)) return false;
    socket.topics.add(topic);
    const subscribed = this.#sockets.get(topic);
    if (subscribed === undefined) this.#sockets.set(topic, new Set([socket]));
    else subscribed.add(socket);
    return true;
  }

  /** False if the socket was not subscribed. */
  leave(socket: WsSocket<Data>, topic: string): boolean {
    if (!socket.topics.delete(topic)) return false;
    const subscribed = this.#sockets.get(topic);
    subscribed?.delete(socket);
    if (subscribed?.size === 0) this.#sockets.delete(topic);
    return true;
  }

  leaveAll(socket: WsSocket<Data>): void {
    for (const topic of [...socket.topics]) this.leave(socket, topic);
  }

  publish(topic: string, frame: Buffer): void {
    const subscribed = this.#sockets.get(topic);
    if (subscribed === undefined) return;
    for (const socket of subscribed) socket.send(frame);
  }
}
