import type { Settings } from '../../config/settings.ts';
import type { MessageToParent } from '../../runtime/child-protocol.ts';
import { StartError } from '../../runtime/start-error.ts';
import { surplusOf } from '../../supervisor/balance.ts';
import type { ProcessTree } from '../../supervisor/process-tree.ts';
import { bindSharedSocket, type SharedSocket } from '../../supervisor/shared-socket.ts';
import { childName, isGateway, roleChild, sharingChild } from './children.ts';
import type { LogFiles } from './log-files.ts';
import { RollingRestarts } from './rolling-restart.ts';

/** How often the gateways' connections are compared; they report them twice a second. */
const balanceEveryMs = 1000;

/** One process of a role, or several at one port. */
export interface SharingOptions {
  readonly count: number;
  readonly tree: ProcessTree;
  readonly logs: LogFiles;
  readonly runDirectory: string;
  readonly print: (line: string) => void;
}

/** The gateways of this machine: one at a port of its own, or several at one socket (docs/decisions/0364). */
export class Gateways {
  readonly restarts: RollingRestarts;
  readonly #options: SharingOptions;
  readonly #names: readonly string[];
  readonly #connections = new Map<string, number>();
  #socket: SharedSocket | null = null;
  #balancing: NodeJS.Timeout | undefined;
  #released = false;

  constructor(options: SharingOptions) {
    this.#options = options;
    this.#names = Array.from({ length: options.count }, (_, index) => childName('gateway', index + 1));
    this.restarts = new RollingRestarts({ what: 'gateways', names: this.#names, ...options });
  }

  /** Starts them; resolves true when all work. @throws StartError `port_unavailable` */
  async add(settings: Settings): Promise<boolean> {
    const { tree, logs, count } = this.#options;
    if (count === 1) return tree.add(roleChild('gateway', settings, logs));
    const socket = await bindFor('gateways', settings.gatewayHost, settings.gatewayPort);
    this.#socket = socket;
    this.#balancing = setInterval(() => this.#balance(), balanceEveryMs);
    const added = this.#names.map((name) => {
      const othersWork = () => this.#working().some((other) => other !== name);
      return tree.add(sharingChild('gateway', settings, logs, name, { fd: socket.fd, othersWork }));
    });
    return (await Promise.all(added)).every(Boolean);
  }

  /** All of them may take contributions, now and after each restart. */
  release(): void {
    this.#released = true;
    for (const name of this.#names) this.#options.tree.send(name, { type: 'release' });
  }

  /** A child said something. */
  onMessage(name: string, message: MessageToParent): void {
    if (!isGateway(name)) return;
    if (message.type === 'listening') {
      this.#connections.delete(name);
      if (this.#released) this.#options.tree.send(name, { type: 'release' });
    }
    if (message.type === 'alive' && message.connections !== undefined)
      this.#connections.set(name, message.connections);
  }

  /** Before they drain: a connection that comes now is refused once they no longer listen. */
  stop(): void {
    clearInterval(this.#balancing);
    this.#socket?.close();
    this.#socket = null;
  }

  #working(): string[] {
    const { tree } = this.#options;
    return tree.status().flatMap(({ name, ready }) => (isGateway(name) && ready ? [name] : []));
  }

  #balance(): void {
    // One that drains gives everything away.
    if (this.restarts.areRunning) return;
    const known = this.#working().flatMap((name) => {
      const connections = this.#connections.get(name);
      return connections === undefined ? [] : [[name, connections] as const];
    });
    for (const [name, connections] of surplusOf(new Map(known)))
      this.#options.tree.send(name, { type: 'move', connections });
  }
}

/** @throws StartError `port_unavailable` */
export async function bindFor(what: string, host: string, port: number): Promise<SharedSocket> {
  try {
    return await bindSharedSocket(host, port);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError('port_unavailable', `The ${what} have no port to listen on: ${reason}`);
  }
}
