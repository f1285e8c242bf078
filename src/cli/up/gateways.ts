import type { Settings } from '../../config/settings.ts';
import type { MessageToParent } from '../../runtime/child-protocol.ts';
import { identifyProcess } from '../../runtime/process-identity.ts';
import { StartError } from '../../runtime/start-error.ts';
import { surplusOf } from '../../supervisor/balance.ts';
import type { ProcessTree } from '../../supervisor/process-tree.ts';
import { bindSharedSocket, type SharedSocket } from '../../supervisor/shared-socket.ts';
import { gatewayChild, gatewayName, isGateway, roleChild } from './children.ts';
import type { LogFiles } from './log-files.ts';
import { type RollingRestart, restartInTurn, writeRollingRestart } from './rolling-restart.ts';

/** How often the gateways' connections are compared; they report them twice a second. */
const balanceEveryMs = 1000;

interface GatewaysOptions {
  readonly count: number;
  readonly tree: ProcessTree;
  readonly logs: LogFiles;
  readonly runDirectory: string;
  readonly print: (line: string) => void;
}

/** The gateways of this machine: one at a port of its own, or several at one socket (docs/decisions/0364). */
export class Gateways {
  readonly #options: GatewaysOptions;
  readonly #names: readonly string[];
  readonly #connections = new Map<string, number>();
  #socket: SharedSocket | null = null;
  #balancing: NodeJS.Timeout | undefined;
  #released = false;
  #last: RollingRestart | null = null;

  constructor(options: GatewaysOptions) {
    this.#options = options;
    this.#names = Array.from({ length: options.count }, (_, index) => gatewayName(index + 1));
  }

  /** Starts them; resolves true when all work. @throws StartError `port_unavailable` */
  async add(settings: Settings): Promise<boolean> {
    const { tree, logs, count } = this.#options;
    if (count === 1) return tree.add(roleChild('gateway', settings, logs));
    const socket = await bind(settings);
    this.#socket = socket;
    this.#balancing = setInterval(() => this.#balance(), balanceEveryMs);
    const added = this.#names.map((name) => {
      const othersWork = () => this.#working().some((other) => other !== name);
      return tree.add(gatewayChild(settings, logs, name, { fd: socket.fd, othersWork }));
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

  /** Says on disk that this `up` restarts gateways when it gets SIGUSR2. */
  announce(): void {
    this.#record({ state: 'none', restarted: [], reason: null });
  }

  /** Restarts them in turn, once at a time; `restart.json` says how it goes. Never rejects. */
  async restart(): Promise<void> {
    const { print, tree, count } = this.#options;
    if (this.#last === null) return print('The gateways still start.');
    if (this.#last.state === 'running') return;
    const restarted: string[] = [];
    const record = (state: RollingRestart['state'], reason: string | null): void => {
      this.#record(
        { state, restarted: [...restarted], reason },
        state === 'running' && restarted.length === 0,
      );
    };
    if (count === 1) {
      this.#record({ state: 'failed', restarted, reason: onlyOne }, true);
      return print(onlyOne);
    }
    record('running', null);
    print('The gateways restart, one after the other.');
    try {
      await restartInTurn(tree, this.#names, (name) => {
        restarted.push(name);
        record('running', null);
      });
      record('done', null);
      print('All gateways have been restarted.');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      record('failed', reason);
      print(`The restart of the gateways ended: ${reason}`);
    }
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
    if (this.#last?.state === 'running') return;
    const known = this.#working().flatMap((name) => {
      const connections = this.#connections.get(name);
      return connections === undefined ? [] : [[name, connections] as const];
    });
    for (const [name, connections] of surplusOf(new Map(known)))
      this.#options.tree.send(name, { type: 'move', connections });
  }

  #record(progress: Pick<RollingRestart, 'state' | 'restarted' | 'reason'>, isNew = false): void {
    const up = identifyProcess(process.pid);
    if (up === null) return;
    this.#last = { up, number: (this.#last?.number ?? 0) + (isNew ? 1 : 0), ...progress };
    try {
      writeRollingRestart(this.#options.runDirectory, this.#last);
    } catch (error) {
      this.#options.print(`Cannot write the record of the restart: ${String(error)}`);
    }
  }
}

const onlyOne =
  'There is one gateway: requests would fail while it restarts. Start with "--gateways 2" or more (POTSTREAM_GATEWAYS).';

async function bind({ gatewayHost, gatewayPort }: Settings): Promise<SharedSocket> {
  try {
    return await bindSharedSocket(gatewayHost, gatewayPort);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError('port_unavailable', `The gateways have no port to listen on: ${reason}`);
  }
}
