import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { type Container, type Deployment, imageEnvironment, type Mounted } from './container.ts';

const repository = resolve(import.meta.dirname, '../..');
/** Of the user of the image. */
const user = 1000;
const operationsPort = 9090;

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly secrets?: readonly { readonly source: string; readonly target: string }[];
  readonly profiles?: readonly string[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** deploy/compose.yaml in a directory of its own, prepared by the very commands that its head names. */
export function composeDeployment(directory: string): Deployment {
  copyRepository(directory);
  const path = join(directory, 'deploy/compose.yaml');
  const text = readFileSync(path, 'utf8');
  const head = text.slice(0, text.indexOf('\nname:'));
  for (const [, command = ''] of head.matchAll(/^# {3}(.+)$/gm))
    if (!command.startsWith('podman')) execFileSync('sh', ['-euc', command], { cwd: directory });
  giveTo(user, join(directory, 'deploy/secrets'));

  const file = parse(text, { merge: true }) as ComposeFile;
  const all = Object.entries(file.services).map(([name, service]) => ({
    service,
    container: containerOf(name, service, file, directory),
  }));
  const containers = all
    .filter(({ service }) => service.profiles === undefined)
    .map(({ container }) => container);
  return {
    containers,
    command(role, args) {
      const found = all.find(({ container }) => container.name === role);
      if (found === undefined) throw new Error(`compose.yaml has no service ${role}.`);
      return { ...found.container, args };
    },
    // One network for all.
    allows: () => true,
    gateways: containers.map(({ name }) => name).filter((name) => name.startsWith('gateway')),
  };
}

function containerOf(name: string, service: Service, file: ComposeFile, directory: string): Container {
  const at = (path: string): string => resolve(directory, 'deploy', path);
  const isNats = /\/nats:/.test(service.image);
  const image = isNats ? {} : imageEnvironment(readFileSync(at('container/Containerfile'), 'utf8'));
  const fromFiles = (service.env_file ?? []).map((each) => variables(at(each)));
  const mounts: Mounted[] = (service.volumes ?? []).map((volume) => {
    const [source = '', target = ''] = volume.split(':');
    if (source.startsWith('.')) return { source: at(source), target };
    const made = join(directory, 'volumes', source);
    mkdirSync(made, { recursive: true });
    return { source: made, target };
  });
  for (const { source, target } of service.configs ?? [])
    mounts.push({ source: at(file.configs[source]?.file ?? source), target });
  for (const { source, target } of service.secrets ?? [])
    mounts.push({
      source: at(file.secrets[source]?.file ?? source),
      target: resolve('/run/secrets', target),
    });
  for (const { source } of mounts) statSync(source);
  const own = isNats ? 0 : user;
  for (const { source } of mounts) if (source.includes('/volumes/')) giveTo(own, source);
  return {
    name,
    names: [name],
    labels: {},
    program: isNats ? 'nats-server' : 'potstream',
    args: service.command ?? [],
    environment: Object.assign({}, image, ...fromFiles, service.environment),
    mounts,
    uid: own,
    gid: own,
    readiness: isNats ? { port: 8222, path: '/healthz' } : { port: operationsPort, path: '/readyz' },
  };
}

/** A directory where commands of the pages work as in this one, with a copy of deploy/. */
export function copyRepository(directory: string): void {
  for (const name of ['bin', 'dist', 'node_modules', 'package.json', 'web'])
    symlinkSync(join(repository, name), join(directory, name));
  cpSync(join(repository, 'deploy'), join(directory, 'deploy'), { recursive: true });
}

/** A file of lines NAME=value. */
export function variables(path: string): Record<string, string> {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** As "chown -R" does. */
export function giveTo(uid: number, path: string): void {
  chownSync(path, uid, uid);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveTo(uid, join(path, name));
}
