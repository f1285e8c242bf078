import { execFileSync } from 'node:child_process';

const bridge = 'chaos0';
const own = '10.77.0.1';
/** No interface of the bridge has it: what is sent there is lost without an error, as behind a cut cable. */
const nowhere = '02:00:00:00:00:01';

/** A process's place in the network. */
export interface Place {
  readonly name: string;
  readonly address: string;
  /** What its command begins with. */
  readonly prefix: readonly string[];
}

/** This process's own place, where everything is on loopback. */
export const loopback: Place = { name: '', address: '127.0.0.1', prefix: [] };

/**
 * Network namespaces at one bridge. The command runs in a network namespace of its own (scripts/chaos.mjs), so the machine's own
 * interfaces are never touched, and everything is gone when it ends.
 */
export class Network {
  readonly #places = new Map<string, Place>();
  /** Their ends at the bridge. */
  readonly #devices: string[] = [];

  constructor() {
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('addr', 'add', `${own}/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
  }

  /** A namespace with an address at the bridge. */
  add(name: string): Place {
    const index = this.#places.size + 2;
    const [outside, address] = [`chaos${index}`, `10.77.0.${index}`];
    ip('netns', 'add', name);
    this.#devices.push(outside);
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', outside, 'master', bridge, 'up');
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
    const place = { name, address, prefix: ['ip', 'netns', 'exec', name] };
    this.#places.set(name, place);
    return place;
  }

  /** From now on nothing that one of these sends reaches one of those, and the other way round. Connections stay open. */
  cut(these: readonly string[], those: readonly string[]): void {
    for (const [from, to] of bothWays(these, those))
      ip(...neighbour('replace', from, this.#addressOf(to)), 'lladdr', nowhere, 'nud', 'permanent');
  }

  heal(these: readonly string[], those: readonly string[]): void {
    for (const [from, to] of bothWays(these, those)) ip(...neighbour('del', from, this.#addressOf(to)));
  }

  /** Once no process runs in it any more. */
  close(): void {
    // The kernel takes a namespace's devices away some time after it, and the next network has the same names.
    for (const device of this.#devices) ip('link', 'del', device);
    for (const name of this.#places.keys()) ip('netns', 'del', name);
    ip('link', 'del', bridge);
    this.#places.clear();
    this.#devices.length = 0;
  }

  #addressOf(name: string): string {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`${name} has no place in the network.`);
    return place.address;
  }
}

function bothWays(these: readonly string[], those: readonly string[]): (readonly [string, string])[] {
  return these.flatMap((one) => those.flatMap((other) => [[one, other] as const, [other, one] as const]));
}

function neighbour(verb: string, from: string, address: string): string[] {
  return ['-n', from, 'neigh', verb, address, 'dev', 'eth0'];
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
