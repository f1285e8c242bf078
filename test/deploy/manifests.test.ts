import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
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
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { mayBeSkipped, runTool } from '../support/deploy-tools.ts';

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
  if (spawnSync('docker', ['compose', 'version']).status === 0)
    expect(composeSays()).toEqual({ status: 0, stderr: '' });
});

test('the container file is valid', () => {
  expect(dockerfileFaults(readFileSync('deploy/container/Containerfile', 'utf8'))).toEqual([]);
});

test.skipIf(mayBeSkipped('systemd-analyze'))('the units of systemd are valid', () => {
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
    expect(runTool('systemd-analyze', ['verify', '--man=no', ...files])).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
  } finally {
    rmSync(units, { recursive: true });
  }
});

test('each variable of these files is a setting, or one of nats.conf', () => {
  const settings = spawnSync(process.execPath, ['bin/potstream', 'settings'], { encoding: 'utf8' }).stdout;
  const known = new Set([...settings.matchAll(/^(POTSTREAM_\w+)=/gm)].map(([, name]) => name));
  const natsConfiguration = readFileSync('deploy/nats/nats.conf', 'utf8');
  for (const [, name] of natsConfiguration.matchAll(/\$(POTSTREAM_\w+)/g)) known.add(name);
  const files = ['deploy/compose.yaml', 'deploy/container/Containerfile', 'deploy/systemd/potstream@.service']
    .concat(
      readdirSync('deploy/kubernetes', { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(yaml|md)$/.test(file))
        .map((file) => join('deploy/kubernetes', file)),
    )
    .map((file) => readFileSync(file, 'utf8'));
  const named = files.flatMap((text) => [...text.matchAll(/POTSTREAM_\w+/g)].map(([name]) => name));
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});

/** What compose itself says of the file, beside the values that its head makes. */
function composeSays() {
  const copy = mkdtempSync(join(tmpdir(), 'potstream-compose-'));
  try {
    cpSync('deploy', copy, { recursive: true });
    mkdirSync(join(copy, 'secrets'));
    writeFileSync(join(copy, 'secrets/nats.env'), 'POTSTREAM_NATS_ROUTES_PASSWORD=secret\n');
    const files = ['--env-file', join(copy, 'secrets/nats.env'), '-f', join(copy, 'compose.yaml')];
    const { status, stderr } = spawnSync('docker', ['compose', ...files, 'config', '--quiet'], {
      encoding: 'utf8',
    });
    return { status, stderr };
  } finally {
    rmSync(copy, { recursive: true });
  }
}
