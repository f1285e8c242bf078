import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../../src/config/settings.ts';
import { natsRoles } from '../../../src/log/roles/permissions.ts';
import { packageRoot } from '../../../src/runtime/package-root.ts';
import {
  renderEmbeddedConfiguration,
  renderTemplate,
} from '../../../src/supervisor/nats-server/configuration.ts';
import { renderRoles } from '../../../src/supervisor/nats-server/users.ts';

const values = {
  serverName: 'one',
  port: 4222,
  monitorPort: 8222,
  storeDirectory: '/data/with "quotes"/nats',
  pidFile: '/run/nats.pid',
  users: [
    {
      user: 'fanout',
      password: 'secret$NOT',
      permissions: { publish: ['query.*'], subscribe: ['tick.*', '_INBOX.fanout.>'] },
    },
  ],
};

test('the embedded configuration is on loopback, durable, with a password, and without a cluster', async () => {
  const text = await renderEmbeddedConfiguration(values);
  expect(text).toContain('listen: "127.0.0.1:4222"');
  expect(text).toContain('http: "127.0.0.1:8222"');
  expect(text).toContain('sync_interval: always');
  expect(text).toContain('max_file_store: 1024TB');
  expect(text).toContain('{ user: "fanout", password: "secret$NOT", permissions: {');
  expect(text).toMatch(/publish: \{ allow: \[\s+"query\.\*"\s+\]/);
  expect(text).not.toMatch(/cluster|routes|unique_tag|POTSTREAM_/);
});

test('deploy/nats/nats-roles.conf says what the code says, for the lanes of the other shipped files', () => {
  const shipped = (file: string): string => readFileSync(join(packageRoot, 'deploy', file), 'utf8');
  const { lanes } = readSettings({});
  expect(
    shipped('nats/nats-roles.conf'),
    'make it anew: node bin/potstream nats roles > deploy/nats/nats-roles.conf',
  ).toBe(renderRoles(lanes));
  for (const file of ['compose.yaml', 'kubernetes/settings/kustomization.yaml'])
    expect(/POTSTREAM_LANES(?:: "|=)(\d+)/.exec(shipped(file))?.[1], file).toBe(String(lanes));
});

test('the rights of a system with more lanes name the streams of each', () => {
  const added = (lanes: number): number => renderRoles(lanes).split('\n').length;
  expect(added(65) - added(64)).toBe(added(2) - added(1));
  expect(renderRoles(65)).toContain('"$JS.API.DIRECT.GET.CMD_64"');
  expect(renderRoles(64)).not.toContain('CMD_64');
});

test("the production template has a user for each role, with that role's permissions", () => {
  const template = readFileSync(join(packageRoot, 'deploy/nats/nats.conf'), 'utf8');
  const users = [
    ...template.matchAll(/\{ nkey: \$POTSTREAM_NATS_([A-Z]+), permissions: \$POTSTREAM_MAY_([A-Z]+) \}/g),
  ];
  const roles = natsRoles.map((role) => role.toUpperCase());
  expect(users.map(([, key, permissions]) => [key, permissions])).toEqual(roles.map((role) => [role, role]));
});

test('a path is quoted', () => {
  expect(renderTemplate('store_dir: $POTSTREAM_NATS_STORE\n', values)).toBe(
    'store_dir: "/data/with \\"quotes\\"/nats"\n',
  );
});

test('a variable without an embedded value is a mistake in the template', () => {
  expect(() => renderTemplate('x: $POTSTREAM_NATS_ZONE\n', values)).toThrow('POTSTREAM_NATS_ZONE');
});
