import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { kustomized } from '../support/deploy-tools.ts';
import { copyRepository, giveTo, variables } from './compose.ts';
import { type Container, type Deployment, imageEnvironment } from './container.ts';
import { NetworkRules, type Policy } from './network-rules.ts';

const repository = resolve(import.meta.dirname, '../..');

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
  };
}

interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly defaultMode: number };
  readonly configMap?: { readonly name: string };
  readonly projected?: {
    readonly sources: readonly {
      readonly secret?: { readonly name: string };
      readonly configMap?: { readonly name: string };
    }[];
  };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly securityContext: { readonly runAsUser: number; readonly fsGroup: number };
    readonly volumes?: readonly Volume[];
    readonly containers: readonly [
      {
        readonly image: string;
        readonly args: readonly string[];
        readonly env?: readonly Variable[];
        readonly envFrom?: readonly {
          readonly configMapRef?: { readonly name: string };
          readonly secretRef?: { readonly name: string };
        }[];
        readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
        readonly readinessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
        readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
      },
    ];
  };
}

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly replicas: number; readonly serviceName?: string; readonly template: Pod };
}

interface ConfigMap {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
}

/** The manifests of deploy/kubernetes, with the secrets that the commands of its page make. */
export function kubernetesDeployment(directory: string): Deployment {
  const manifests = kustomized<Workload | ConfigMap>('deploy/kubernetes');
  const prepared = new Prepared(directory, manifests);
  const workloads = manifests.filter(
    ({ kind }) => kind === 'Deployment' || kind === 'StatefulSet',
  ) as Workload[];
  const containers = workloads.flatMap((workload) =>
    Array.from({ length: workload.spec.replicas }, (_, index) => {
      const name = `${workload.metadata.name}-${index}`;
      const service = workload.metadata.name;
      const names = [`${name}.${workload.spec.serviceName ?? service}`, service, `${service}.potstream.svc`];
      return prepared.container(name, names, workload.spec.template);
    }),
  );
  const labels = new Map(containers.map((container) => [container.name, container.labels]));
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy[];
  const rules = new NetworkRules(policies, (name) => (isCommand(name) ? labelsOfCommands : labels.get(name)));
  return {
    containers,
    command(role, args) {
      const file = role === 'start' ? 'bootstrap' : 'command';
      const job = kustomized<Workload>(`deploy/kubernetes/jobs/${file}`).find(({ kind }) => kind === 'Job')!;
      const started = prepared.container(file, [], withKeyOf(role, job.spec.template));
      return { ...started, args };
    },
    allows: (from, to, port) => rules.allows(from, to, port),
    gateways: containers.map(({ name }) => name).filter((name) => name.startsWith('gateway')),
  };
}

const labelsOfCommands = { 'app.kubernetes.io/name': 'command', 'app.kubernetes.io/part-of': 'potstream' };

function isCommand(name: string): boolean {
  return /-command-\d+$/.test(name);
}

/** The job of a command, for one of another user. */
function withKeyOf(role: string, pod: Pod): Pod {
  return JSON.parse(JSON.stringify(pod).replaceAll('replay-nkey', `${role}-nkey`)) as Pod;
}

/** What a cluster has after the page's commands and the kustomization. */
class Prepared {
  readonly #directory: string;
  readonly #secrets = new Map<string, Readonly<Record<string, string>>>();
  readonly #maps: ReadonlyMap<string, Readonly<Record<string, string>>>;
  #volumes = 0;

  constructor(directory: string, manifests: readonly (Workload | ConfigMap)[]) {
    this.#directory = directory;
    copyRepository(directory);
    this.#runCommands(readFileSync(join(directory, 'deploy/kubernetes/README.md'), 'utf8'));
    const maps = manifests.filter((each) => each.kind === 'ConfigMap') as ConfigMap[];
    this.#maps = new Map(maps.map(({ metadata, data }) => [metadata.name, data]));
  }

  container(name: string, names: readonly string[], { metadata, spec }: Pod): Container {
    const [container] = spec.containers;
    const isNats = container.image.includes('/nats:');
    const { runAsUser, fsGroup } = spec.securityContext;
    const mounts = container.volumeMounts.map(({ name: volume, mountPath }) => {
      const found = spec.volumes?.find((each) => each.name === volume);
      return { source: this.#volume(name, volume, found, fsGroup), target: mountPath };
    });
    const probe = container.readinessProbe?.httpGet;
    const port = container.ports?.find((each) => each.name === probe?.port)?.containerPort ?? 0;
    return {
      name,
      names,
      labels: metadata.labels,
      program: isNats ? 'nats-server' : 'potstream',
      args: container.args,
      environment: this.#environment(name, container, isNats),
      mounts,
      uid: runAsUser,
      gid: fsGroup,
      readiness: { port, path: probe?.path ?? '' },
    };
  }

  #environment(
    name: string,
    container: Pod['spec']['containers'][0],
    isNats: boolean,
  ): Record<string, string> {
    const image = isNats
      ? {}
      : imageEnvironment(readFileSync(join(repository, 'deploy/container/Containerfile'), 'utf8'));
    const from = (container.envFrom ?? []).map(({ configMapRef, secretRef }) =>
      configMapRef === undefined ? this.#secret(secretRef?.name ?? '') : this.#map(configMapRef.name),
    );
    const environment: Record<string, string> = Object.assign({}, image, ...from);
    for (const variable of container.env ?? []) {
      const { secretKeyRef, fieldRef } = variable.valueFrom ?? {};
      if (secretKeyRef !== undefined)
        environment[variable.name] = this.#secret(secretKeyRef.name)[secretKeyRef.key] ?? '';
      else if (fieldRef !== undefined) environment[variable.name] = name;
      else
        environment[variable.name] = (variable.value ?? '').replaceAll(
          /\$\((\w+)\)/g,
          (_, named: string) => environment[named] ?? '',
        );
    }
    return environment;
  }

  /** Files of secrets are root's, and of the pod's group: kubelet lets that group read them. */
  #volume(pod: string, volume: string, from: Partial<Volume> = {}, group: number): string {
    const { secret, persistentVolumeClaim: claim } = from;
    this.#volumes += 1;
    // All pods that name a claim share it.
    const name = claim === undefined ? `${pod}-${volume}-${this.#volumes}` : `claim-${claim.claimName}`;
    const made = join(this.#directory, 'volumes', name);
    mkdirSync(made, { recursive: true });
    const files = this.#filesIn(from);
    if (files === null) {
      giveTo(group, made);
      return made;
    }
    // As a name that is replaced at once when the secret changes.
    mkdirSync(join(made, '..data'));
    for (const [name, text] of Object.entries(files)) {
      const path = join(made, '..data', name);
      writeFileSync(path, text);
      chownSync(path, 0, group);
      chmodSync(path, (secret?.defaultMode ?? 0o644) | 0o440);
      symlinkSync(`..data/${name}`, join(made, name));
    }
    return made;
  }

  /** null: the volume is empty. */
  #filesIn({ secret, configMap, projected }: Partial<Volume>): Readonly<Record<string, string>> | null {
    if (secret !== undefined) return this.#secret(secret.secretName);
    if (configMap !== undefined) return this.#map(configMap.name);
    const sources = projected?.sources.map((source) =>
      source.secret === undefined
        ? this.#map(source.configMap?.name ?? '')
        : this.#secret(source.secret.name),
    );
    return sources === undefined ? null : Object.assign({}, ...sources);
  }

  #secret(name: string): Readonly<Record<string, string>> {
    const found = this.#secrets.get(name);
    if (found === undefined) throw new Error(`The page makes no secret ${name}.`);
    return found;
  }

  #map(name: string): Readonly<Record<string, string>> {
    const found = this.#maps.get(name);
    if (found === undefined) throw new Error(`The kustomization makes no map ${name}.`);
    return found;
  }

  /** The first block of commands, with a `kubectl` that keeps what it is given. */
  #runCommands(page: string): void {
    const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
    const bin = join(this.#directory, 'kubectl');
    mkdirSync(bin);
    const calls = join(this.#directory, 'kubectl.calls');
    writeFileSync(
      join(bin, 'kubectl'),
      `#!/bin/sh\nfor each; do printf '%s\\t' "$each" >> ${calls}; done\necho >> ${calls}\n`,
      { mode: 0o755 },
    );
    execFileSync('sh', ['-euc', commands], {
      cwd: this.#directory,
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    });
    for (const line of readFileSync(calls, 'utf8').trim().split('\n'))
      this.#keep(line.split('\t').filter(Boolean));
  }

  #keep(words: readonly string[]): void {
    const at = words.indexOf('generic');
    if (at === -1) return;
    const entries: [string, string][] = [];
    for (let index = at + 2; index < words.length; index += 2) {
      const [option, value = ''] = [words[index], words[index + 1]];
      if (option === '--from-env-file')
        entries.push(...Object.entries(variables(join(this.#directory, value))));
      else if (option === '--from-literal') entries.push(value.split(/=(.*)/s, 2) as [string, string]);
      else entries.push(...this.#filesOf(value));
    }
    this.#secrets.set(words[at + 1] ?? '', Object.fromEntries(entries));
  }

  #filesOf(value: string): [string, string][] {
    const [, name, path = value] = /^(\w+)=(.*)$/.exec(value) ?? [];
    const from = join(this.#directory, path);
    const read = (file: string): string => readFileSync(file, 'utf8');
    if (name !== undefined) return [[name, read(from)]];
    try {
      return readdirSync(from).map((each) => [each, read(join(from, each))]);
    } catch {
      return [[path.split('/').at(-1) ?? '', read(from)]];
    }
  }
}
