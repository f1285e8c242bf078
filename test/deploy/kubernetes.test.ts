import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { httpLimits } from '../../src/gateway/http/limits.ts';
import { natsRoles } from '../../src/log/roles/permissions.ts';
import { kustomized, mayBeSkipped } from '../support/deploy-tools.ts';

const directory = 'deploy/kubernetes';
const files = readdirSync('deploy', { recursive: true, encoding: 'utf8' }).map((file) =>
  join('deploy', file),
);
const kustomizations = files
  .filter((file) => basename(file) === 'kustomization.yaml')
  .map(dirname)
  // A part of the others.
  .filter((folder) => folder !== join(directory, 'images'));
const page = readFileSync(join(directory, 'README.md'), 'utf8');
/** What kubectl keeps of an object in an annotation of it, unless the server applies it. */
const maxAnnotationBytes = 262_144;

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

interface Workload extends Manifest {
  readonly spec: {
    readonly replicas: number;
    readonly minReadySeconds?: number;
    readonly template: { readonly spec: PodSpec };
  };
}

interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: { readonly runAsNonRoot?: boolean; readonly seccompProfile?: object };
  readonly topologySpreadConstraints?: readonly unknown[];
  readonly containers: readonly Container[];
}

interface Container {
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly args?: readonly string[];
  readonly resources?: { readonly requests?: object; readonly limits?: object };
  readonly securityContext?: object;
  readonly startupProbe?: object;
  readonly readinessProbe?: object;
  readonly livenessProbe?: object;
}

describe.skipIf(mayBeSkipped('kubectl'))('what kubectl makes of deploy/kubernetes', () => {
  const applied = mayBeSkipped('kubectl')
    ? []
    : kustomizations.map((folder) => [folder, kustomized<Manifest>(folder)] as const);
  const manifests = applied.flatMap(([, all]) => all);
  const workloads = manifests.filter(
    ({ kind }) => kind === 'Deployment' || kind === 'StatefulSet',
  ) as Workload[];
  const pods = manifests
    .filter(({ kind }) => /^(Deployment|StatefulSet|Job)$/.test(kind))
    .map((manifest) => (manifest as Workload).spec.template.spec);

  test.each(applied)('%s: each object is valid', async (_, all) => {
    expect(all.length).toBeGreaterThan(0);
    for (const manifest of all) expect(await faultOf(manifest), manifest.metadata.name).toBeNull();
  });

  test('no object has a field that the API does not know', () => {
    expect(unknownFields(manifests)).toBe('');
  }, 60_000);

  test('a manifest with a fault is refused', async () => {
    const [first] = workloads as [Workload];
    expect(await faultOf({ ...first, spec: { replicas: 'three' } } as never)).toContain('replicas');
    const [container] = first.spec.template.spec.containers as [Container];
    const misspelt = { ...container, livenesProbe: container.livenessProbe };
    const template = { spec: { ...first.spec.template.spec, containers: [misspelt] } };
    expect(unknownFields([{ ...first, spec: { ...first.spec, template } } as never])).toContain(
      'livenesProbe',
    );
  }, 60_000);

  test('every file is in a kustomization', () => {
    const named = kustomizations.flatMap((folder) => {
      const text = readFileSync(join(folder, 'kustomization.yaml'), 'utf8');
      return [...text.matchAll(/^ {2}- (\S+\.yaml)$/gm)].map(([, file = '']) => join(folder, file));
    });
    const written = files.filter((file) => file.startsWith(directory) && file.endsWith('.yaml'));
    const rest = written.filter((file) => basename(file) !== 'kustomization.yaml');
    expect(named.toSorted()).toEqual(rest.toSorted());
  });

  test('what the page applies is there, and objects too large for an annotation are applied by the server', () => {
    const commands = [...page.matchAll(/kubectl apply (.*?)-k (\S+?)[`\n]/g)].map(
      ([, options = '', folder = '']) => ({ options, folder }),
    );
    expect(new Set(commands.map(({ folder }) => folder))).toEqual(
      new Set([directory, `${directory}/jobs/bootstrap`]),
    );
    for (const { options, folder } of commands) {
      const all = applied.find(([each]) => each === folder)![1];
      const largest = Math.max(...all.map((manifest) => JSON.stringify(manifest).length));
      if (largest >= maxAnnotationBytes) expect(options, folder).toContain('--server-side');
    }
  });

  test.each(applied)('%s: pods read only the maps that are applied with them', (_, all) => {
    const maps = all.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
    const text = JSON.stringify(all.filter(({ kind }) => kind !== 'ConfigMap'));
    const read = [...text.matchAll(/"configMap(?:Ref)?":\{"name":"([^"]+)"/g)].map(([, name]) => name);
    expect([...new Set(read)].filter((name) => !maps.includes(name ?? ''))).toEqual([]);
  });

  test('each secret that a pod reads is one that the page creates', () => {
    const text = JSON.stringify(manifests);
    const [, looped = ''] = /for role in (.+); do/.exec(page) ?? [];
    const created = [...page.matchAll(/create secret generic (\S+)/g)].flatMap(([, name = '']) =>
      name === '$role-nkey' ? looped.split(' ').map((role) => `${role}-nkey`) : [name],
    );
    const read = secretsIn(text);
    expect(read).toEqual(expect.arrayContaining(['nats-routes', 'nats-users', 'nats-tls']));
    expect(read.filter((name) => !created.includes(name))).toEqual([]);
    expect(new Set(looped.split(' '))).toEqual(new Set([...natsRoles, 'storage']));
  });

  test.each([
    ['actors', ['actors-nkey', 'draw-keys', 'nats-ca']],
    ['fanout', ['fanout-nkey', 'nats-ca']],
    ['gateway', ['accounts-key', 'gateway-nkey', 'nats-ca']],
    ['nats', ['nats-routes', 'nats-tls', 'nats-users']],
    ['outbox', ['accounts-key', 'nats-ca', 'outbox-nkey']],
    ['reporting', ['nats-ca', 'reporting-nkey', 'reporting-password']],
    ['storage', ['nats-ca', 'storage-nkey']],
    ['wallet', ['accounts-key', 'nats-ca', 'wallet-nkey']],
    ['bootstrap', ['nats-ca', 'start-nkey']],
    ['command', ['draw-keys', 'nats-ca', 'replay-nkey']],
  ])('%s has its own secrets alone', (name, secrets) => {
    const found = manifests.filter(
      ({ kind, metadata }) => metadata.name === name && /Deployment|StatefulSet|Job/.test(kind),
    );
    expect(found.map((manifest) => secretsIn(JSON.stringify(manifest)))).toEqual([secrets]);
  });

  test('no secret is in a variable or an argument; those of nats-users are public keys', () => {
    const containers = pods.flatMap(({ containers: all }) => all);
    expect(containers.length).toBe(workloads.length + 2);
    expect(JSON.stringify(containers.map(({ env, args }) => [env, args]))).not.toMatch(
      /secretKeyRef|password|:\/\/[^"]*@/i,
    );
  });

  test('no image is pulled by a tag alone, and no address is trusted as a proxy', () => {
    for (const { containers: all } of pods)
      for (const { image } of all) expect(image).toMatch(/^\S+\/\S+:[^@]+@sha256:[0-9a-f]{64}$/);
    expect(JSON.stringify(manifests)).not.toContain('POTSTREAM_TRUSTED_PROXIES');
  });

  test('no pod, of jobs neither, has a token of the cluster or may become root', () => {
    for (const pod of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { securityContext } of pod.containers)
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
        });
    }
    const [namespace] = manifests.filter(({ kind }) => kind === 'Namespace');
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  test('each role has a budget, and enough instances to lose one', () => {
    const budgets = manifests
      .filter(({ kind }) => kind === 'PodDisruptionBudget')
      .map(({ metadata }) => metadata.name);
    expect(budgets.toSorted()).toEqual(workloads.map(({ metadata }) => metadata.name).toSorted());
    const single = workloads.filter(({ spec }) => spec.replicas < 2);
    // Without it everything goes on.
    expect(single.map(({ metadata }) => metadata.name)).toEqual(['storage']);
  });

  describe.each(workloads.map((workload) => [workload.metadata.name, workload] as const))(
    'the pods of %s',
    (_, { spec }) => {
      const { spec: pod } = spec.template;
      const [container] = pod.containers as readonly [Container];

      test('have the least rights, and their limits', () => {
        expect(pod.automountServiceAccountToken).toBe(false);
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.anything(), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
      });

      test('are asked whether they live, started and are ready, and are spread', () => {
        for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe])
          expect(probe).toMatchObject({
            httpGet: { path: expect.stringMatching(/^\/(livez|readyz|healthz)/) },
          });
        if (spec.replicas > 1) expect(pod.topologySpreadConstraints?.length).toBeGreaterThan(0);
      });

      test('have the time to drain, and serve before the next one ends', () => {
        const settings = readFileSync(join(directory, 'settings/kustomization.yaml'), 'utf8');
        const wait = Number(/POTSTREAM_DRAIN_WAIT_SECONDS=(\d+)/.exec(settings)?.[1]);
        // The wait for balancers, then the requests under way, the lanes, the connections.
        expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(wait + 2 * (httpLimits.drainMs / 1000));
        expect(spec.minReadySeconds).toBeGreaterThan(0);
      });
    },
  );
});

function secretsIn(text: string): string[] {
  const references = /"secretName":"([^"]+)"|"secret(?:Ref|KeyRef)?":\{[^}]*?"name":"([^"]+)"/g;
  const names = [...text.matchAll(references)].map(([, mounted, referred]) => mounted ?? referred ?? '');
  return [...new Set(names)].toSorted();
}

/** What the schema of the API says against it; null: nothing. */
async function faultOf(manifest: Manifest): Promise<string | null> {
  const { apiVersion, kind } = manifest;
  const models = (await import(/* @vite-ignore */ `kubernetes-models/${apiVersion}/${kind}`)) as Record<
    string,
    new (
      data: object,
    ) => { validate(): void }
  >;
  try {
    new models[kind]!(manifest).validate();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What the types of the API say, as an API server that validates strictly: the schemas allow fields that nobody knows. */
function unknownFields(manifests: readonly Manifest[]): string {
  const work = mkdtempSync(join(tmpdir(), 'potstream-manifests-'));
  try {
    const lines = manifests.flatMap((manifest, index) => {
      const { apiVersion, kind } = manifest;
      const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`;
      return `export const object${index}: ${type} = ${JSON.stringify(manifest)};`;
    });
    writeFileSync(join(work, 'manifests.ts'), lines.join('\n'));
    symlinkSync(resolve('node_modules'), join(work, 'node_modules'));
    const compiler = [
      ...['node_modules/typescript/bin/tsc', '--noEmit', '--strict', '--skipLibCheck'],
      '--ignoreConfig',
    ];
    const options = ['--module', 'nodenext', '--types', 'node', join(work, 'manifests.ts')];
    return spawnSync(process.execPath, [...compiler, ...options], { encoding: 'utf8' }).stdout;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
