import { expect, test } from 'vitest';
import {
  renderEmbeddedConfiguration,
  renderTemplate,
} from '../../../src/supervisor/nats-server/configuration.ts';

const values = {
  serverName: 'one',
  port: 4222,
  monitorPort: 8222,
  storeDirectory: '/data/with "quotes"/nats',
  pidFile: '/run/nats.pid',
  user: 'potstream',
  password: 'secret$NOT',
};

test('the embedded configuration is on loopback, durable, with a password, and without a cluster', async () => {
  const text = await renderEmbeddedConfiguration(values);
  expect(text).toContain('listen: "127.0.0.1:4222"');
  expect(text).toContain('http: "127.0.0.1:8222"');
  expect(text).toContain('sync_interval: always');
  expect(text).toContain('max_file_store: 1024TB');
  expect(text).toContain('password: "secret$NOT"');
  expect(text).not.toMatch(/cluster|routes|unique_tag|POTSTREAM_/);
});

test('a path is quoted', () => {
  expect(renderTemplate('store_dir: $POTSTREAM_NATS_STORE\n', values)).toBe(
    'store_dir: "/data/with \\"quotes\\"/nats"\n',
  );
});

test('a variable without an embedded value is a mistake in the template', () => {
  expect(() => renderTemplate('x: $POTSTREAM_NATS_ZONE\n', values)).toThrow('POTSTREAM_NATS_ZONE');
});
