import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
});
afterAll(() => gateway.stop());

const path = '/v1/jackpot/instances/gold/contributions';

function request(key: string, extra: readonly string[] = [], bodyText?: string): string {
  const body =
    bodyText ??
    JSON.stringify({
      token: 'session',
      brand_id: 'main',
      player_id: 'p',
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
      idempotency_key: key,
    });
  return [
    `POST ${path} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...extra,
    '',
    body,
  ].join('\r\n');
}

const patienceMs = 60_000;

/** A keep-alive connection that collects what the server says. */
class Client {
  readonly socket: Socket;
  text = '';
  closed = false;

  constructor() {
    this.socket = connect(gateway.port, '127.0.0.1');
    this.socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.closed = true;
    });
  }

  statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
  }

  async answers(count: number): Promise<number[]> {
    const deadline = performance.now() + patienceMs;
    while (this.statuses().length < count && !this.closed) {
      if (performance.now() > deadline) throw new Error(`Only this came: ${this.text}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return this.statuses();
  }
}

describe('contributions read straight from the socket', () => {
  test('are answered one after the other on one connection', async () => {
    const client = new Client();
    for (let index = 0; index < 5; index += 1) {
      client.socket.write(request(`wire-${index}`));
      expect(await client.answers(index + 1)).toEqual(Array(index + 1).fill(200));
    }
    expect(client.text).toMatch(/\r\nX-Request-Id: /);
    expect(client.text).toMatch(/\r\nDate: \w{3}, /);
    client.socket.destroy();
  });

  test('may arrive with head and body apart, or cut anywhere', async () => {
    const bytes = request('cut');
    const body = bytes.indexOf('\r\n\r\n') + 4;
    for (const at of [1, 30, body - 2, body, body + 1, bytes.length - 1]) {
      const client = new Client();
      client.socket.setNoDelay(true);
      client.socket.write(bytes.slice(0, at));
      await new Promise((resolve) => setTimeout(resolve, 30));
      client.socket.write(bytes.slice(at));
      expect(await client.answers(1), `cut at ${at}`).toEqual([200]);
      client.socket.destroy();
    }
  });

  test('may be pipelined', async () => {
    const client = new Client();
    client.socket.write(request('pipe-1') + request('pipe-2') + request('pipe-3'));
    expect(await client.answers(3)).toEqual([200, 200, 200]);
    client.socket.write(request('pipe-4'));
    expect(await client.answers(4)).toEqual([200, 200, 200, 200]);
    client.socket.destroy();
  });

  test('give way to any other request, and the connection stays open for both', async () => {
    const client = new Client();
    client.socket.write(request('mixed-1'));
    expect(await client.answers(1)).toEqual([200]);
    client.socket.write('GET /v1/currencies HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await client.answers(2)).toEqual([200, 200]);
    client.socket.write(request('mixed-2'));
    expect(await client.answers(3)).toEqual([200, 200, 200]);
    client.socket.destroy();
  });

  test('with a body that is refused are told so, and the connection goes on', async () => {
    const client = new Client();
    client.socket.write(request('bad', [], '{"token":1}'));
    expect(await client.answers(1)).toEqual([400]);
    expect(client.text).toContain('"code":"invalid_request"');
    client.socket.write(request('good'));
    expect(await client.answers(2)).toEqual([400, 200]);
    client.socket.destroy();
  });

  test('with metadata that is too large are refused and the connection is closed', async () => {
    const client = new Client();
    const body = JSON.stringify({ brand_id: 'main', metadata: 'x'.repeat(9000) });
    client.socket.write(
      request(
        'large',
        [],
        body.replace(
          '{',
          '{"token":"t","player_id":"p","player_country":"DE","base_wager":1,"currency":"EUR",',
        ),
      ),
    );
    expect(await client.answers(1)).toEqual([413]);
    client.socket.destroy();
  });

  test.each([
    ['a second Content-Length', ['Content-Length: 3'], 400],
    ['a transfer coding', ['Transfer-Encoding: chunked'], 400],
    ['a second Authorization', ['Authorization: Bearer x'], 400],
    ['an expectation', ['Expect: something'], 400],
    ['a content coding', ['Content-Encoding: gzip'], 415],
    ['a header without a name', [': x'], 400],
    ['a folded line', ['X-A: 1', ' folded'], 400],
    ['a bare line feed', ['X-A: 1\nX-B: 2'], 400],
  ])('with %s are left to Node', async (_name, extra, status) => {
    const client = new Client();
    client.socket.write(request('odd', extra));
    expect((await client.answers(1))[0]).toBe(status);
    client.socket.destroy();
  });

  test('whose caller hangs up are still applied', async () => {
    const before = gateway.commands.length;
    const client = new Client();
    client.socket.end(request('gone'));
    expect(await client.answers(1)).toEqual([200]);
    expect(gateway.commands.length).toBe(before + 1);
  });
});
