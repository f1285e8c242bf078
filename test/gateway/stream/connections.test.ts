import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { streamLimits } from '../../../src/gateway/stream/limits.ts';
import { quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { chunkOf, contribution, RawClient } from '../support/raw-client.ts';
import { line, StreamClient, stream, streamPath, textOf } from './stream-client.ts';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.respond = quiet;
});

const head = (...lines: string[]) =>
  [
    `POST ${streamPath} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/x-ndjson',
    ...lines,
    '',
    '',
  ].join('\r\n');
const chunked = 'Transfer-Encoding: chunked';
const good = (ref: string) => textOf([line(ref)]);
const open = (...lines: string[]) => {
  const client = new RawClient(gateway.port);
  client.send(head(...lines));
  return client;
};
const idle = () => new Promise((resolve) => setTimeout(resolve, 20));
async function allClosed(): Promise<void> {
  for (let tries = 0; gateway.openStreams() > 0 && tries < 5_000; tries += 1) await idle();
  expect(gateway.openStreams()).toBe(0);
}

describe('a stream', () => {
  it('answers before its first line, and each line before the next one comes', async () => {
    const client = new StreamClient(gateway.port, { token });
    expect(await client.status()).toBe(200);
    expect(client.response?.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    for (const ref of ['a', 'b', 'c']) {
      client.sendLines([line(ref)]);
      expect((await client.answered(client.lines.length + 1)).at(-1)).toMatchObject({ ref });
    }
    client.end();
    expect(await client.results()).toHaveLength(3);
  });

  it('gives results as they come, not as they were asked for', async () => {
    let release = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.respond = async (command) => {
      if (command.kind === 'Contribute' && command.player === 'player-first') await waiting;
      return quiet(command);
    };
    const client = new StreamClient(gateway.port, { token });
    client.end(textOf([line('first'), line('second')]));
    expect((await client.answered(1)).map(({ ref }) => ref)).toEqual(['second']);
    release();
    expect((await client.results()).map(({ ref }) => ref)).toEqual(['second', 'first']);
  });

  it('leaves its connection to the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<unknown>();
    for (const ref of ['a', 'b']) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
      const sent = request({ port: gateway.port, method: 'POST', path: streamPath, agent, headers });
      sent.end(good(ref));
      const [response] = await once(sent, 'response');
      ports.add(response.socket.localPort);
      response.resume();
      await once(response, 'end');
    }
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  it('may come with a Content-Length, after 100 Continue, and be followed by a contribution', async () => {
    const client = open(`Content-Length: ${good('a').length}`, 'Expect: 100-continue');
    await client.until(() => client.text.includes('HTTP/1.1 100 Continue'));
    client.send(good('a') + contribution(token, 'behind-it'));
    await client.until(() => client.statuses().length === 3);
    expect(client.statuses()).toEqual([100, 200, 200]);
    expect(client.text).toContain('"ref":"a","results"');
    client.socket.destroy();
  });

  it('may have no body at all', async () => {
    const client = open('Content-Length: 0', 'Connection: close');
    expect(await client.ending()).toEqual(['200']);
  });

  it('ends its connection where the caller asked for that', async () => {
    const client = open(chunked, 'Connection: close');
    client.send(`${chunkOf(good('a'))}0\r\n\r\n`);
    await client.ending();
    expect(client.text).toMatch(/"ref":"a","results".*\r\n0\r\n\r\n$/s);
  });

  it('of a caller who ends its side behind a whole body is answered', async () => {
    const client = open(chunked);
    client.send(`${chunkOf(good('a'))}0\r\n\r\n`);
    client.socket.end();
    await client.ending();
    expect(client.text).toContain('"ref":"a","results"');
  });

  it('whose body is malformed ends with the number of the first line that was not taken', async () => {
    const client = open(chunked);
    client.send(`${chunkOf(`${good('a')}${good('b')}{"half":`)}no size\r\n`);
    await client.ending();
    expect(client.text).toContain('"ref":"a","results"');
    expect(client.text).toContain('"ref":"b","results"');
    expect(client.text).toMatch(/\{"ref":null,"line":3,"error":\{"status_code":400,"code":"malformed_http"/);
  });

  it('whose body is cut short by the end of its side says so, too', async () => {
    for (const framing of [chunked, 'Content-Length: 100000']) {
      const client = open(framing);
      client.send(framing === chunked ? chunkOf(good('a')) : good('a'));
      await client.until(() => client.text.includes('"ref":"a"'));
      client.socket.end();
      await client.ending();
      expect(client.text).toMatch(
        /"line":2,"error":\{"status_code":400,"code":"malformed_http".*"end":true\}/s,
      );
    }
  });

  it('that is cut off leaves nothing behind', async () => {
    let release = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.respond = async (command) => {
      await waiting;
      return quiet(command);
    };
    const client = open(chunked);
    const before = gateway.commands.length;
    client.send(chunkOf(textOf(Array.from({ length: 100 }, (_, index) => line(index)))));
    await client.until(() => gateway.commands.length === before + 100);
    client.socket.resetAndDestroy();
    await idle();
    // Its lines are under way: their room is not free yet.
    expect(gateway.openStreams()).toBe(1);
    release();
    await allClosed();
  });

  it('takes one time after the other for the time that a request may take', async () => {
    const other = await startTestGateway({ requestTimeoutMs: 2_000 });
    const client = new StreamClient(other.port, { token: await other.serviceToken() });
    const until = performance.now() + 5_000;
    let sent = 0;
    for (; performance.now() < until; sent += 1) {
      client.sendLines([line(sent)]);
      await client.answered(sent + 1);
      await idle();
    }
    client.end();
    expect(await client.results()).toHaveLength(sent);
    await other.stop();
  });
});

describe('a request for a stream', () => {
  const status = async (headers: Readonly<Record<string, string>>) => {
    const client = new StreamClient(gateway.port, { token, headers });
    client.end(good('a'));
    return [await client.status(), (await client.results())[0]?.code];
  };

  it('needs lines, a token and no signature', async () => {
    const asJson = await gateway.call('POST', streamPath, { token, body: line('a') });
    expect([asJson.status, asJson.json.code]).toEqual([415, 'unsupported_media_type']);
    // What it asks for must not be what was refused.
    expect(asJson.json.message).not.toMatch(/must be application\/json/);
    const others = [
      'text/plain',
      'application/x-ndjson; charset=latin1',
      'application/json',
      'application/vnd.potstream.contributions+msgpack; version=1',
    ];
    for (const type of others) expect(await refused({ 'content-type': type })).toBe('unsupported_media_type');
    expect(await refused({ 'content-encoding': 'gzip' })).toBe('unsupported_media_type');
    expect(await refused({ authorization: 'Bearer no' })).toBe('unauthenticated');
    expect(await refused({ 'x-key-id': 'key', 'x-signature': 'v1=00' })).toBe('signature_invalid');
    expect(await status({ 'content-type': 'application/x-ndjson; charset=utf-8' })).toEqual([200, undefined]);
  });

  async function refused(headers: Readonly<Record<string, string>>): Promise<string> {
    const { json } = await gateway.call('POST', streamPath, {
      token,
      text: good('a'),
      headers: { 'content-type': 'application/x-ndjson', ...headers },
    });
    return json.code;
  }

  it('is refused where an operator has as many as are free, and others are not', async () => {
    const clients: StreamClient[] = [];
    for (let opened = 0; opened < streamLimits.streams / 2; opened += 1)
      clients.push(new StreamClient(gateway.port, { token }));
    for (const client of clients) expect(await client.status()).toBe(200);
    const answer = await gateway.call('POST', streamPath, {
      token,
      headers: { 'content-type': 'application/x-ndjson' },
      text: good('a'),
    });
    expect([answer.status, answer.json.code]).toEqual([429, 'too_many_connections']);
    const rival = await gateway.serviceToken('rival');
    expect(await stream(gateway.port, rival, good('a'))).toMatchObject([
      { error: { code: 'operator_not_found' } },
    ]);
    for (const client of clients) client.end();
    for (const client of clients) await client.results();
    await allClosed();
    expect(await stream(gateway.port, token, good('a'))).toMatchObject([{ ref: 'a', results: [{}] }]);
  });
});
