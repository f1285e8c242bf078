import type { Settings } from '../../config/settings.ts';
import type { SharedSocket } from '../../supervisor/shared-socket.ts';
import { childName, roleChild, sharingChild } from './children.ts';
import { bindFor, type SharingOptions } from './gateways.ts';
import { RollingRestarts } from './rolling-restart.ts';

/** The fan-outs of this machine: one, or several at one port, among which the kernel spreads the sockets. */
export class Fanouts {
  readonly restarts: RollingRestarts;
  readonly #options: SharingOptions;
  readonly #names: readonly string[];
  #socket: SharedSocket | null = null;

  constructor(options: SharingOptions) {
    this.#options = options;
    this.#names = Array.from({ length: options.count }, (_, index) => childName('fanout', index + 1));
    this.restarts = new RollingRestarts({ what: 'fanouts', names: this.#names, ...options });
  }

  /** Starts them; resolves true when all work. @throws StartError `port_unavailable` */
  async add(settings: Settings): Promise<boolean> {
    const { tree, logs, count } = this.#options;
    if (count === 1) return tree.add(roleChild('fanout', settings, logs));
    const { websocketEngine, fanoutHost, fanoutPort } = settings;
    // uWebSockets.js shares a port by itself; Node 20 cannot, so that ws gets a socket of ours.
    if (websocketEngine === 'ws') this.#socket = await bindFor('fan-outs', fanoutHost, fanoutPort);
    const fd = this.#socket?.fd ?? null;
    const added = this.#names.map((name) => {
      const othersWork = () =>
        tree.status().some((other) => other.ready && other.name !== name && this.#names.includes(other.name));
      return tree.add(sharingChild('fanout', settings, logs, name, { fd, othersWork }));
    });
    return (await Promise.all(added)).every(Boolean);
  }

  /** Before they drain: a connection that comes now is refused once they no longer listen. */
  stop(): void {
    this.#socket?.close();
    this.#socket = null;
  }
}
