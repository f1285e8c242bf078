import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { validate as dockerfileFaults } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { mayBeSkipped, runTool } from '../support/deploy-tools.ts';

interface ComposeService {
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: object;
  readonly stop_grace_period?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
}

test('no container writes key files, and no password is in a variable or an argument', () => {
  const text = readFileSync('deploy/compose.yaml', 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  const mounted = Object.entries(services).flatMap(([name, { volumes = [] }]) =>
    volumes.filter((volume) => volume.startsWith('./')).map((volume) => [name.replace(/-\d$/, ''), volume]),
  );
  const keys = './secrets/keys:/var/lib/potstream/keys:ro';
  const draws = './secrets/draws:/run/secrets/draws:ro';
  expect(Object.fromEntries(mounted)).toEqual({
    actors: draws,
    gateway: keys,
    wallet: keys,
    outbox: keys,
    doctor: draws,
    reconcile: keys,
    replay: draws,
  });
  for (const [, volume] of mounted) expect(volume).toMatch(/:ro$/);
  const given = Object.values(services).map(({ command, environment }) => [command, environment]);
  expect(JSON.stringify(given)).not.toMatch(/password|:\/\/[^"]*@|\$\{/i);
});

const roles = ['gateway', 'actors', 'fanout', 'wallet', 'outbox', 'reporting', 'storage'];
/** Of 10, as "systemd-analyze security" counts; what is left is the network, and the host's files and files of /proc that may be read. */
const maxExposure = 1.3;

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
  if (spawnSync('docker', ['compose', 'version']).status === 0)
    expect(composeSays()).toEqual({ status: 0, stderr: '' });
});

test('the container file is valid, and keeps one native file of the websocket engine', () => {
  const text = readFileSync('deploy/container/Containerfile', 'utf8');
  expect(dockerfileFaults(text)).toEqual([]);
  const [build = ''] = text.split(/\nFROM \S+\n/);
  expect(build).toMatch(/node scripts\/websocket-builds\.mjs prune$/m);
});

describe.skipIf(mayBeSkipped('systemd-analyze'))('the units of systemd', () => {
  let units: string;
  beforeAll(() => {
    units = mkdtempSync(join(tmpdir(), 'potstream-units-'));
    cpSync('deploy/systemd', units, { recursive: true });
    const shipped = { template: 'potstream@.service', nats: 'potstream-nats.service' };
    for (const file of Object.values(shipped)) {
      // The programs are elsewhere on this machine; everything else is as shipped.
      const text = readFileSync(join(units, file), 'utf8');
      writeFileSync(join(units, file), text.replace(/\/usr\/bin\/(node|nats-server)/g, process.execPath));
    }
    for (const role of roles)
      copyFileSync(join(units, shipped.template), join(units, `potstream@${role}.service`));
  });
  afterAll(() => rmSync(units, { recursive: true }));
  const names = [...roles.map((role) => `potstream@${role}.service`), 'potstream-nats.service'];

  test('are valid, with what each role adds', () => {
    const files = names.map((name) => join(units, name));
    const verified = runTool('systemd-analyze', ['verify', '--man=no', ...files]);
    expect(verified).toEqual({ status: 0, stdout: '', stderr: '' });
    const added = join(units, 'potstream@actors.service.d/keys.conf');
    writeFileSync(added, `${readFileSync(added, 'utf8')}Misspelt=yes\n`);
    expect(runTool('systemd-analyze', ['verify', '--man=no', ...files]).stderr).toContain('Misspelt');
  });

  test.each(names)('%s may do no more than it must', (name) => {
    const asked = ['security', '--offline=yes', `--threshold=${maxExposure * 10}`, join(units, name)];
    expect(runTool('systemd-analyze', asked)).toMatchObject({ status: 0 });
  });

  test('each role has a user, a directory and a seed of its own, and the keys that it needs', () => {
    const text = readFileSync('deploy/systemd/potstream@.service', 'utf8');
    for (const line of ['User=potstream-%i', 'StateDirectory=potstream-%i', 'LoadCredential=nkey:']) {
      expect(text).toContain(`\n${line}`);
    }
    const users = readFileSync('deploy/systemd/potstream.sysusers', 'utf8');
    for (const role of [...roles, 'nats']) expect(users).toContain(`\nu potstream-${role} -\n`);
    const keysOf = (role: string): string[] => {
      const added = join('deploy/systemd', `potstream@${role}.service.d/keys.conf`);
      const lines = existsSync(added) ? readFileSync(added, 'utf8') : '';
      return [...lines.matchAll(/^LoadCredential=([^:]+)/gm)].map(([, name = '']) => name);
    };
    expect(Object.fromEntries(roles.map((role) => [role, keysOf(role)]))).toEqual({
      gateway: ['accounts.key'],
      actors: ['epoch-seeds.json'],
      fanout: [],
      wallet: ['accounts.key'],
      outbox: ['accounts.key'],
      reporting: [],
      storage: [],
    });
  });
});

test('each variable of these files is a setting, or one of nats.conf', () => {
  const settings = spawnSync(process.execPath, ['bin/potstream', 'settings'], { encoding: 'utf8' }).stdout;
  const known = new Set([...settings.matchAll(/^(POTSTREAM_\w+)=/gm)].map(([, name]) => name));
  const natsConfiguration = readFileSync('deploy/nats/nats.conf', 'utf8');
  for (const [, name] of natsConfiguration.matchAll(/\$(POTSTREAM_\w+)/g)) known.add(name);
  const below = (directory: string): string[] =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(yaml|md|service|conf)$/.test(file))
      .map((file) => join(directory, file));
  const files = ['deploy/compose.yaml', 'deploy/container/Containerfile']
    .concat(below('deploy/kubernetes'), below('deploy/systemd'))
    .map((file) => readFileSync(file, 'utf8'));
  const named = files.flatMap((text) => [...text.matchAll(/POTSTREAM_\w+/g)].map(([name]) => name));
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});

/** What compose itself says of the file, beside the file that its head makes. */
function composeSays() {
  const copy = mkdtempSync(join(tmpdir(), 'potstream-compose-'));
  try {
    cpSync('deploy', copy, { recursive: true });
    mkdirSync(join(copy, 'secrets'));
    writeFileSync(join(copy, 'secrets/nats.env'), '');
    const files = ['-f', join(copy, 'compose.yaml')];
    const { status, stderr } = spawnSync('docker', ['compose', ...files, 'config', '--quiet'], {
      encoding: 'utf8',
    });
    return { status, stderr };
  } finally {
    rmSync(copy, { recursive: true });
  }
}
