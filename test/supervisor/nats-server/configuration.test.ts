import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { natsRoles } from '../../../src/log/roles/permissions.ts';
import { packageRoot } from '../../../src/runtime/package-root.ts';
import {
  renderEmbeddedConfiguration,
  renderTemplate,
} from '../../../src/supervisor/nats-server/configuration.ts';
import { productionLanes, renderRoles } from '../../../src/supervisor/nats-server/users.ts';

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

test('deploy/nats/nats-roles.conf says what the code says', () => {
  const shipped = readFileSync(join(packageRoot, 'deploy/nats/nats-roles.conf'), 'utf8');
  expect(shipped, 'make it anew: node bin/potstream nats roles > deploy/nats/nats-roles.conf').toBe(
    renderRoles(productionLanes),
  );
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
