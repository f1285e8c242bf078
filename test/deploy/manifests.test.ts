import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { validate as dockerfileFaults } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { httpLimits } from '../../src/gateway/http/limits.ts';
import { natsRoles } from '../../src/log/roles/permissions.ts';

const directory = 'deploy/kubernetes';
const manifests = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
  .flatMap((file) =>
    parseAllDocuments(readFileSync(join(directory, file), 'utf8')).map(
      (document) => document.toJS() as Manifest,
    ),
  );

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const models = {
  Job,
  Deployment,
  StatefulSet,
  NetworkPolicy,
  PodDisruptionBudget,
  Namespace,
  PersistentVolumeClaim,
  Service,
} as const;

describe('Kubernetes', () => {
  test.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s is valid',
    (_, manifest) => {
      const Model = models[manifest.kind as keyof typeof models] as new (
        data: object,
      ) => { validate(): void };
      expect(() => new Model(manifest).validate()).not.toThrow();
    },
  );

  test('a manifest with a fault is refused', () => {
    const [first] = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(() => new Deployment({ ...first, spec: { replicas: 'three' } } as never).validate()).toThrow();
  });

  test('the kustomization names each file', () => {
    const { resources } = parse(readFileSync(join(directory, 'kustomization.yaml'), 'utf8')) as {
      resources: string[];
    };
    const files = readdirSync(directory).filter(
      (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
    );
    expect(resources.toSorted()).toEqual(files.toSorted());
  });

  test('each secret that a pod reads is one that the page creates', () => {
    const text = JSON.stringify(manifests);
    const read = [...text.matchAll(/"secretName":"([^"]+)"|"secret(?:Key)?Ref":\{"name":"([^"]+)"/g)].map(
      ([, mounted, referred]) => mounted ?? referred,
    );
    const page = readFileSync(join(directory, 'README.md'), 'utf8');
    const created = [...page.matchAll(/create secret generic (\S+)/g)].flatMap(([, name]) =>
      name === '$role-nkey' ? natsRoles.map((role) => `${role}-nkey`) : [name],
    );
    expect([...new Set(read)].filter((name) => !created.includes(name))).toEqual([]);
    const [, looped = ''] = /for role in (.+); do/.exec(page) ?? [];
    expect(looped.split(' ').toSorted()).toEqual([...natsRoles].toSorted());
  });

  test('each role has a budget, and enough instances to lose one', () => {
    const budgets = manifests
      .filter(({ kind }) => kind === 'PodDisruptionBudget')
      .map(({ metadata }) => metadata.name);
    const workloads = manifests.filter(
      ({ kind }) => kind === 'Deployment' || kind === 'StatefulSet',
    ) as (Manifest & {
      readonly spec: { readonly replicas: number };
    })[];
    expect(budgets.toSorted()).toEqual(workloads.map(({ metadata }) => metadata.name).toSorted());
    for (const { spec } of workloads) expect(spec.replicas).toBeGreaterThan(1);
  });
});

interface Workload extends Manifest {
  readonly spec: {
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
  readonly resources?: { readonly requests?: object; readonly limits?: object };
  readonly securityContext?: object;
  readonly startupProbe?: object;
  readonly readinessProbe?: object;
  readonly livenessProbe?: object;
}

const workloads = manifests.filter(
  ({ kind }) => kind === 'Deployment' || kind === 'StatefulSet',
) as Workload[];

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
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    });

    test('are asked whether they live, started and are ready, and are spread', () => {
      for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe])
        expect(probe).toMatchObject({
          httpGet: { path: expect.stringMatching(/^\/(livez|readyz|healthz)/) },
        });
      expect(pod.topologySpreadConstraints?.length).toBeGreaterThan(0);
    });

    test('have the time to drain, and serve before the next one ends', () => {
      const wait = Number(
        /POTSTREAM_DRAIN_WAIT_SECONDS=(\d+)/.exec(
          readFileSync(join(directory, 'kustomization.yaml'), 'utf8'),
        )?.[1],
      );
      // The wait for balancers, then the requests under way, the lanes, the connections.
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(wait + 2 * (httpLimits.drainMs / 1000));
      expect(spec.minReadySeconds).toBeGreaterThan(0);
    });
  },
);

interface ComposeService {
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: object;
  readonly stop_grace_period?: string;
}

test('every service of the compose file has the least rights, a check and time to drain', () => {
  const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
    services: Record<string, ComposeService>;
  };
  for (const service of Object.values(services))
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      healthcheck: { test: expect.anything() },
      stop_grace_period: '60s',
    });
});

interface ComposeFault {
  readonly category: string;
  readonly rule: string;
  readonly message: string;
}

test('the compose file is valid', () => {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] } as never);
  const results = linter.lintFiles(['deploy/compose.yaml'], false) as {
    readonly messages: readonly ComposeFault[];
  }[];
  expect(
    results
      .flatMap(({ messages }) => messages)
      .filter(({ category, rule }) => category !== 'style' && rule !== 'require-quotes-in-ports'),
  ).toEqual([]);
});

test('the container file is valid', () => {
  expect(dockerfileFaults(readFileSync('deploy/container/Containerfile', 'utf8'))).toEqual([]);
});

const analyzes = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!analyzes)('the units of systemd are valid', () => {
  const units = mkdtempSync(join(tmpdir(), 'potstream-units-'));
  try {
    // The programs are elsewhere on this machine; everything else is as shipped.
    const unit = (file: string): string =>
      readFileSync(join('deploy/systemd', file), 'utf8').replace(
        /\/usr\/bin\/(node|nats-server)/g,
        process.execPath,
      );
    writeFileSync(join(units, 'potstream@.service'), unit('potstream@.service'));
    copyFileSync(join(units, 'potstream@.service'), join(units, 'potstream@gateway.service'));
    writeFileSync(join(units, 'potstream-nats.service'), unit('potstream-nats.service'));
    const files = ['potstream@gateway.service', 'potstream-nats.service'].map((file) => join(units, file));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  } finally {
    rmSync(units, { recursive: true });
  }
});

test('each variable of these files is a setting, or one of nats.conf', () => {
  const settings = spawnSync(process.execPath, ['bin/potstream', 'settings'], { encoding: 'utf8' }).stdout;
  const known = new Set([...settings.matchAll(/^(POTSTREAM_\w+)=/gm)].map(([, name]) => name));
  const natsConfiguration = readFileSync('deploy/nats.conf', 'utf8');
  for (const [, name] of natsConfiguration.matchAll(/\$(POTSTREAM_\w+)/g)) known.add(name);
  const files = ['deploy/compose.yaml', 'deploy/container/Containerfile', 'deploy/systemd/potstream@.service']
    .concat(
      readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(yaml|md)$/.test(file))
        .map((file) => join(directory, file)),
    )
    .map((file) => readFileSync(file, 'utf8'));
  const named = files.flatMap((text) => [...text.matchAll(/POTSTREAM_\w+/g)].map(([name]) => name));
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});
