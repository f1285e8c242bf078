import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accountsOf } from '../campaign/books.ts';
import type { World } from '../campaign/scenario.ts';
import { until } from '../campaign/wait.ts';
import { sharedWitness } from '../system/assemble.ts';

const settleLimitMs = 60_000;
/** The checks that read the log in the background begin after a start. */
const lookMs = 4_000;
const probes = 80;

/** Everything that a stopped system has on its disks but keys, logs and the wallet's database. */
export class StoredState {
  readonly #world: World;
  readonly #directory: string;

  constructor(world: World, name: string) {
    this.#world = world;
    this.#directory = join(world.system.dataDirectory, 'copies', name);
  }

  take(): void {
    rmSync(this.#directory, { recursive: true, force: true });
    for (const [name, path] of this.#paths()) cpSync(path, join(this.#directory, name), { recursive: true });
  }

  /** `only`: a prefix of the names of what goes back. */
  putBack(only = ''): void {
    for (const [name, path] of this.#paths()) {
      if (!name.startsWith(only)) continue;
      rmSync(path, { recursive: true, force: true });
      cpSync(join(this.#directory, name), path, { recursive: true });
    }
  }

  #paths(): (readonly [string, string])[] {
    const { system } = this.#world;
    const stores = system.nats.servers.map(
      ({ unit, storeDirectory }) => [`store-${unit.name}`, storeDirectory] as const,
    );
    const hosts = ['actors-1', 'actors-2'].map(
      (name) => [`host-${name}`, system.hostDirectoryOf(name)] as const,
    );
    const witness = ['witnesses', sharedWitness(system.dataDirectory)] as const;
    return [...stores, ...[...hosts, witness].filter(([, path]) => existsSync(path))];
  }
}

/** As a machine that is shut down, or that loses power. */
type EndSignal = 'SIGTERM' | 'SIGKILL';

/** Every answer is given and every payment done; then every process ends. */
export async function quiesce(world: World, signal?: EndSignal): Promise<ReadonlyMap<string, string>> {
  await world.traffic.pause();
  await world.atRest();
  const accounts = await accountsOf(world);
  await stopAll(world, signal);
  return accounts;
}

/** nats-server is the last one. */
export async function stopAll(
  { system, random }: World,
  signal: EndSignal = random.pick<EndSignal>('SIGTERM', 'SIGKILL'),
): Promise<void> {
  const isServer = (name: string): boolean => name.startsWith('nats-');
  await Promise.all(system.units.filter(({ name }) => !isServer(name)).map((unit) => unit.stop(signal)));
  await Promise.all(system.units.filter(({ name }) => isServer(name)).map((unit) => unit.stop(signal)));
}

export function startAll({ system, watch }: World): void {
  watch.forget();
  for (const unit of system.units) unit.start();
}

/** What became of a system that was started on other files than it ended with. */
export interface Verdict {
  readonly served: boolean;
  /** The lane's code, or what the processes say; and the alarms of the actor hosts. */
  readonly text: string;
}

/**
 * Starts it, and waits until its lane serves or has halted. Money must be as it was in both cases: accounts as before, and every key that
 * was answered gets its answer or none.
 */
export async function judge(world: World, accounts: ReadonlyMap<string, string>): Promise<Verdict> {
  const { system, watch, traffic } = world;
  const logs = system.units.filter(({ name }) => name.startsWith('actors')).map(({ logFile }) => logFile);
  const sizes = logs.map((file) => statSync(file).size);
  startAll(world);
  let state = '';
  try {
    await until(
      'a verdict',
      async () => {
        const beat = await watch.beat(1_000);
        if (beat?.condition === 'stopped') state = `halted, ${beat.code}`;
        else if (beat !== null && (await system.faults()).length === 0) state = 'served';
        return state !== '';
      },
      settleLimitMs,
    );
    await pause(lookMs);
  } catch {
    state = `not started: ${(await system.faults()).join('; ').slice(0, 300)}`;
  }
  const alarms = logs.flatMap((file, index) =>
    alarmsIn(readFileSync(file).subarray(sizes[index]).toString()),
  );
  const probe = await traffic.probe(probes);
  for (const wrong of probe.wrong) world.violated(`${state}: ${wrong}`);
  if (state === 'served') {
    const now = await accountsOf(world);
    for (const [name, amount] of accounts)
      if (now.get(name) !== amount)
        world.violated(`${name} was ${amount}, and is ${now.get(name)} after a start`);
  }
  const raised = [...new Set(alarms)].toSorted().join(', ');
  return { served: state === 'served', text: raised === '' ? state : `${state} (alarms: ${raised})` };
}

function alarmsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [, code] = /"code":"([a-z_]+)"/.exec(line) ?? [];
    return code !== undefined && /"level":("error"|"fatal"|"warn"|[456]0)/.test(line) ? [code] : [];
  });
}
