import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { describeSettings } from '../../src/config/settings.ts';
import { followEventsOperation } from '../../src/gateway/api/operations/admin/events.ts';
import { streamContributionsOperation } from '../../src/gateway/api/operations/operator/contributions.ts';
import { eventStreamLimits } from '../../src/gateway/event-stream/limits.ts';
import { httpLimits } from '../../src/gateway/http/limits.ts';

/**
 * The balancers' examples say the same. nginx and HAProxy also run (test/e2e/balancers.e2e.test.ts). Debian has no Envoy:
 * of its example only what this file looks at is known to be right.
 */

const folder = resolve(import.meta.dirname, '../../deploy');
const read = (name: string) => readFileSync(resolve(folder, name), 'utf8');
const examples = { nginx: read('nginx.conf'), haproxy: read('haproxy.cfg'), envoy: read('envoy.yaml') };
const gateways = ['10.0.0.11', '10.0.0.12'];

describe.each(Object.entries(examples))('the example for %s', (_, text) => {
  test('names settings that there are, and both gateways', () => {
    const names = new Set(describeSettings().map(({ name }) => name));
    const named = [...text.matchAll(/POTSTREAM_[A-Z_]+/g)].map(([name]) => name);
    expect(named).toEqual(
      expect.arrayContaining(['POTSTREAM_HOST', 'POTSTREAM_TRUSTED_PROXIES', 'POTSTREAM_DRAIN_WAIT_SECONDS']),
    );
    expect(named.filter((name) => !names.has(name))).toEqual([]);
    const code = text.replace(/^\s*#.*$/gm, '');
    for (const gateway of gateways) expect(code).toContain(gateway);
  });

  test('gives up idle connections before the gateways do', () => {
    expect(httpLimits.keepAliveTimeoutMs).toBeGreaterThan(60_000);
    expect(text).toMatch(/(keepalive_timeout|timeout http-keep-alive|idle_timeout:) 60s/);
  });
});

/** A gateway ends a stream whose results are not read: it looks again each time that it would end an idle connection. */
const streamEndsWithinMs = 2 * httpLimits.keepAliveTimeoutMs;
const seconds = (text = '') => Number.parseInt(text, 10) * 1000;

test('nginx and HAProxy leave streams of contributions to the gateway', () => {
  const [, location = ''] = /location = (\S+ \{[^}]*client_body_timeout[^}]*\})/.exec(examples.nginx) ?? [];
  expect(location).toMatch(new RegExp(`^${streamContributionsOperation.path} `));
  const times = [...location.matchAll(/(\w+)_timeout (\d+s);/g)].map(([, name, time]) => [
    name,
    seconds(time),
  ]);
  expect(times.map(([name]) => name)).toEqual(['client_body', 'send', 'proxy_send', 'proxy_read']);
  for (const [, time] of times) expect(time).toBeGreaterThan(streamEndsWithinMs);
  for (const line of [
    'proxy_request_buffering off;',
    'proxy_buffering off;',
    'proxy_next_upstream off;',
    'client_max_body_size 0;',
  ])
    expect(location).toContain(line);
  const server = new RegExp(
    `set-timeout server (\\d+s) if \\{ path ${streamContributionsOperation.path} \\}`,
  );
  expect(seconds(server.exec(examples.haproxy)?.[1])).toBeGreaterThan(streamEndsWithinMs);
  expect(seconds(/timeout client (\d+s)/.exec(examples.haproxy)?.[1])).toBeGreaterThan(streamEndsWithinMs);
});

test('nginx and HAProxy leave events for screens open, and nginx keeps nothing of them back', () => {
  const { path } = followEventsOperation;
  const locations = [...examples.nginx.matchAll(/location ~ (\S+) \{([^}]*)\}/g)];
  const [, , location = ''] = locations.find(([, pattern = '']) => new RegExp(pattern).test(path)) ?? [];
  expect(location).toContain('proxy_buffering off;');
  expect(seconds(/proxy_read_timeout (\d+s)/.exec(location)?.[1])).toBeGreaterThan(
    eventStreamLimits.commentMs,
  );
  const server = new RegExp(`set-timeout server (\\d+s) if \\{ path ${path} \\}`).exec(examples.haproxy);
  expect(seconds(server?.[1])).toBeGreaterThan(eventStreamLimits.commentMs);
});

test('HAProxy and Envoy check the health path', () => {
  expect(examples.haproxy).toContain('option httpchk GET /readyz');
  expect(examples.haproxy).toContain('retry-on conn-failure\n');
});

describe("Envoy's example", () => {
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test looks at.
  const config = parse(examples.envoy) as any;
  const [listener] = config.static_resources.listeners;
  const [cluster] = config.static_resources.clusters;
  const manager = listener.filter_chains[0].filters[0].typed_config;
  const [host] = manager.route_config.virtual_hosts;

  test('checks the health path, and needs less time for it than the gateways wait', () => {
    const [check] = cluster.health_checks;
    expect(check.http_health_check.path).toBe('/readyz');
    const wait = Number(/POTSTREAM_DRAIN_WAIT_SECONDS=(\d+)/.exec(examples.envoy)?.[1]);
    expect(Number.parseInt(check.interval, 10) * (check.unhealthy_threshold + 1)).toBeLessThan(wait);
  });

  test('leads every route to its cluster, and repeats only what was not sent', () => {
    for (const { route } of host.routes) {
      expect(route.cluster).toBe(cluster.name);
      expect([undefined, 'connect-failure']).toContain(route.retry_policy?.retry_on);
      expect(Object.keys(route)).not.toContain('host_rewrite_literal');
    }
    expect(host.routes.at(-1).match).toEqual({ prefix: '/' });
    expect(Number.parseInt(host.routes.at(-1).route.timeout, 10) * 1000).toBeGreaterThan(
      httpLimits.handlerTimeoutMs,
    );
    expect(cluster.load_assignment.cluster_name).toBe(cluster.name);
  });

  test('passes websockets, and names the client', () => {
    expect(manager.upgrade_configs).toEqual([{ upgrade_type: 'websocket' }]);
    expect(manager.use_remote_address).toBe(true);
    const endless = host.routes.filter(({ route }: { route: { timeout: string } }) => route.timeout === '0s');
    expect(endless.map(({ match }: { match: object }) => match)).toEqual([
      { prefix: '/event' },
      { path: '/v1/jackpot/status' },
      { safe_regex: { regex: '/v1/public/[^/]+/[^/]+/events' } },
      { path: followEventsOperation.path },
      { path: streamContributionsOperation.path },
    ]);
    const idleMs = endless.map(({ route }: { route: { idle_timeout: string } }) =>
      seconds(route.idle_timeout),
    );
    expect(Math.min(...idleMs.slice(0, 4))).toBeGreaterThan(60_000);
    expect(idleMs[4]).toBeGreaterThan(streamEndsWithinMs);
    expect(manager.http_filters.at(-1).name).toBe('envoy.filters.http.router');
  });

  test('names its types as version 3 of the API does', () => {
    const types = [...examples.envoy.matchAll(/"@type": (\S+)/g)].map(([, type]) => type);
    expect(types.length).toBeGreaterThan(2);
    for (const type of types)
      expect(type).toMatch(/^type\.googleapis\.com\/envoy\.extensions\.[a-z_.]+\.v3\.[A-Za-z]+$/);
  });
});
