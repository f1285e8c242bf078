import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestSocket, until } from '../fanout/feed-world.ts';
import { type Balancer, type BalancerName, balancerNames, startBalancer } from '../support/balancers.ts';
import { ContributionStream, lineBytes, streamWithPauses } from '../support/contribution-stream.ts';
import { mayBeSkipped } from '../support/deploy-tools.ts';
import { freePort } from '../support/free-port.ts';
import { loggedIn } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

const repository = resolve(import.meta.dirname, '../..');
const patienceMs = 240_000;
/** Longer than HAProxy needs for two checks. */
const drainWaitSeconds = 10;

let system: RunningSystem;
let service: string;
let instance: string;

beforeAll(async () => {
  system = await startSystem({
    args: ['--no-traffic'],
    environment: {
      POTSTREAM_LANES: '1',
      POTSTREAM_TRUSTED_PROXIES: '127.0.0.1/32',
      POTSTREAM_FAILED_LOGINS_PER_MINUTE: '2',
    },
  });
  const port = Number(new URL(system.baseUrl).port);
  service = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
  const found = await ask(port, 'GET', '/v1/jackpot/instances/source/slot-1/brand/demo:main');
  instance = found.json.id;
}, patienceMs);
afterAll(() => system?.stop(), patienceMs);

describe.each(balancerNames)('behind %s', (name: BalancerName) => {
  describe.skipIf(mayBeSkipped(name))('as deploy/ configures it', () => {
    let first: number;
    let second: Gateway;
    let balancer: Balancer;
    let traffic: Traffic | undefined;

    beforeEach(async () => {
      first = Number(new URL(system.baseUrl).port);
      second = await startGateway();
      balancer = await startBalancer(name, [first, second.port]);
    }, patienceMs);
    afterEach(async () => {
      await traffic?.stop();
      traffic = undefined;
      await balancer?.stop();
      second?.kill();
    }, patienceMs);

    test('requests, errors and both feeds pass', async () => {
      const { port } = balancer;
      expect(await contribute(port, `pass-${name}`)).toBe(200);
      expect(await contribute(port, `pass-${name}`)).toBe(204);
      const unknown = await ask(port, 'GET', '/v1/nothing');
      expect([unknown.status, unknown.json.code]).toEqual([404, 'route_not_found']);
      const large = await ask(port, 'PUT', '/v1/webhooks/signature', {
        text: 'x'.repeat(70_000),
        token: service,
      });
      expect([large.status, large.json.code]).toEqual([413, 'payload_too_large']);

      // The service's own page, at the balancer's address.
      const headers = { Origin: `http://127.0.0.1:${port}` };
      const player = system.credentials.players[0]!;
      const query = `token=${encodeURIComponent(player.token)}&currency=${player.currency}`;
      const feeds = [
        '/v1/jackpot/status',
        `/events/demo/main?${query}`,
        `/events/service?token=${service}`,
      ].map((path) => new TestSocket(`ws://127.0.0.1:${port}${path}`, headers));
      await Promise.all(feeds.map((feed) => feed.opened));
      const [status, mine, all] = feeds as [TestSocket, TestSocket, TestSocket];
      status.say({ AuthenticateRequest: { token: service } });
      mine.subscribe();
      all.subscribe();
      await until(() => feeds.every((feed) => feed.frames.length > 0));
      for (const feed of feeds) feed.terminate();
    });

    test('limits count clients, whatever they say of themselves', async () => {
      const wrong = { ...system.credentials.admin, password: 'a wrong password' };
      /** A busy gateway's 503 is no guess: threads of low priority hash passwords. */
      const login = async (client: string, claimed: string): Promise<string> => {
        const options = { body: wrong, from: client, headers: { 'X-Forwarded-For': claimed } };
        const { code } = (await ask(balancer.port, 'POST', '/auth/admin', options)).json;
        return code === 'overloaded' ? login(client, claimed) : code;
      };
      const clients = name === 'nginx' ? ['127.0.1.1', '127.0.1.2'] : ['127.0.2.1', '127.0.2.2'];
      for (let attempt = 0; attempt < 2; attempt += 1)
        expect(await login(clients[0]!, `10.9.9.${attempt}`)).toBe('invalid_credentials');
      // Both gateways count for themselves.
      const codes: string[] = [];
      for (let attempt = 2; attempt < 8; attempt += 1)
        codes.push(await login(clients[0]!, `10.9.9.${attempt}`));
      expect(codes.at(-1)).toBe('too_many_attempts');
      expect(await login(clients[1]!, '10.9.9.9')).toBe('invalid_credentials');
    });

    test('a gateway that leaves loses no request', async () => {
      const { port, takeOut } = balancer;
      traffic = sendContributions(port, `drain-${name}`);
      await vi.waitFor(async () => expect(await second.contributions()).toBeGreaterThan(10), patience);
      // nginx is told of it, HAProxy asks for itself.
      if (name === 'nginx') await takeOut(second.port);
      const ended = second.end();
      await vi.waitFor(async () => {
        expect((await ask(second.port, 'GET', '/readyz')).status).toBe(503);
      }, patience);
      expect(await contribute(second.port, `leaving-${name}`)).toBe(200);
      if (name === 'haproxy') await takeOut(second.port);
      await ended;
      await expect(ask(second.port, 'GET', '/readyz')).rejects.toThrow('ECONNREFUSED');
      const { sent, statuses } = await traffic.stop();
      expect(sent).toBeGreaterThan(20);
      expect([...statuses]).toEqual([200]);
      for (let key = 0; key < sent; key += Math.ceil(sent / 50))
        expect(await contribute(port, `drain-${name}-${key}`)).toBe(204);
    });
  });
});

/** Longer than between a request and its answer: 15 s. */
const longPauseMs = 17_000;
/** More of these bytes together than a request may have: 6 MB. */
const burst = { bytes: 240_000, times: 30 };

describe.skipIf(mayBeSkipped('nginx') || mayBeSkipped('haproxy'))('behind both at a time', () => {
  test('a stream of contributions is larger than any request, passed on at once, and pauses', async () => {
    const gateway = Number(new URL(system.baseUrl).port);
    const balancers = await Promise.all(balancerNames.map((name) => startBalancer(name, [gateway, gateway])));
    try {
      const streams = balancers.map(({ port }, index) => {
        const stream = new ContributionStream(port, service, balancerNames[index]!);
        return streamWithPauses(stream, { count: 1, ms: longPauseMs, burst });
      });
      const answered = await Promise.all(streams);
      expect(answered).toEqual(balancerNames.map(() => (2 * burst.times * burst.bytes) / lineBytes));
    } finally {
      await Promise.all(balancers.map((each) => each.stop()));
    }
  });
});

const patience = { timeout: 60_000, interval: 50 };

interface Gateway {
  readonly port: number;
  /** Answered so far. */
  contributions(): Promise<number>;
  /** SIGTERM; resolves when it has ended by itself. */
  end(): Promise<void>;
  kill(): void;
}

interface Traffic {
  stop(): Promise<{ readonly sent: number; readonly statuses: ReadonlySet<number | string> }>;
}

/** Another gateway of the same system, in a process of its own that nobody restarts. */
async function startGateway(): Promise<Gateway> {
  const [port, operationsPort] = [await freePort(), await freePort()];
  const running = (await system.processes()).get('gateway');
  const environment = Object.fromEntries(
    readFileSync(`/proc/${running}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line.startsWith('POTSTREAM_') || line.startsWith('PATH='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const child: ChildProcess = spawn(process.execPath, ['bin/potstream', 'gateway'], {
    cwd: repository,
    env: {
      ...environment,
      POTSTREAM_PORT: String(port),
      POTSTREAM_OPERATIONS_PORT: String(operationsPort),
      POTSTREAM_HOLD_READY: '0',
      POTSTREAM_DRAIN_WAIT_SECONDS: String(drainWaitSeconds),
    },
    stdio: 'ignore',
  });
  const exited = new Promise<void>((end) => child.once('exit', () => end()));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await vi.waitFor(async () => expect((await ask(port, 'GET', '/readyz')).status).toBe(200), patience);
  return {
    port,
    kill,
    async contributions() {
      const { text } = await ask(operationsPort, 'GET', '/metrics');
      const counts = [...text.matchAll(/^potstream_gateway_answers_total\{status="200"\} (\d+)$/gm)];
      return counts.reduce((sum, [, count]) => sum + Number(count), 0);
    },
    end() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      return exited;
    },
  };
}

/** One after the other by four clients, each tried once. */
function sendContributions(port: number, name: string): Traffic {
  let sent = 0;
  let goesOn = true;
  const statuses = new Set<number | string>();
  const client = async (): Promise<void> => {
    while (goesOn) {
      const key = `${name}-${sent}`;
      sent += 1;
      statuses.add(await contribute(port, key).catch((error: Error) => error.message));
    }
  };
  const clients = Array.from({ length: 4 }, client);
  return {
    async stop() {
      goesOn = false;
      await Promise.all(clients);
      return { sent, statuses };
    },
  };
}

async function contribute(port: number, key: string): Promise<number> {
  const body = {
    token: 'player-session',
    brand_id: 'demo:direct',
    player_id: 'ada',
    player_country: 'DE',
    base_wager: '1.00',
    currency: 'EUR',
    idempotency_key: key,
  };
  const path = `/v1/jackpot/instances/${instance}/contributions`;
  return (await ask(port, 'POST', path, { body, token: service })).status;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the body says.
  readonly json: any;
}

/** Over a connection of its own, from that address of this machine. */
function ask(
  port: number,
  method: string,
  path: string,
  options: {
    readonly body?: unknown;
    readonly text?: string;
    readonly token?: string;
    readonly from?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answer> {
  const payload = options.text ?? (options.body === undefined ? '' : JSON.stringify(options.body));
  return new Promise((done, fail) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        ...(options.from === undefined ? {} : { localAddress: options.from }),
        headers: {
          ...(payload === ''
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
          ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
          ...options.headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json') === true;
          const json = isJson ? JSON.parse(text) : null;
          done({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
        response.once('error', fail);
      },
    );
    request.once('error', fail);
    request.end(payload);
  });
}
