import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { publicJackpots } from '../../../src/contracts/feeds/public-feed.ts';
import {
  describedLiveValues,
  describeInstance,
  FeedWorld,
  statusChanged,
  until,
  won,
} from '../../fanout/feed-world.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { RawClient } from '../support/raw-client.ts';

const brand = '/v1/public/demo/main';
const path = `${brand}/events`;
let feed: FeedWorld;
let gateway: TestGateway;
const streams: EventStream[] = [];

beforeEach(async () => {
  feed = new FeedWorld();
  feed.addInstance('pot-1');
  await feed.start();
  gateway = await startTestGateway({
    fanoutPort: feed.fanout.port,
    publicFeedsPerAddress: 3,
    feedsPerAddress: 3,
  });
  set({ public_feed: true, public_winners: true });
  addToGateway('pot-1');
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.destroy();
  await gateway.stop();
  await feed.stop();
});

/** For the gateway and the fan-out. */
function set(settings: { public_feed?: boolean; public_winners?: boolean; enabled?: boolean }): void {
  feed.addBrand('demo:main', settings);
  feed.setRates('', { EUR: '1', USD: '2' });
  const { entries } = feed.readModel;
  const known = [entries.operators.get('demo'), entries.brands.get('demo:main'), entries.rates.get('')];
  for (const entry of known)
    gateway.readModel.directoryChanged({ kind: 'set', entry: entry! }, gateway.readModel.revision + 1);
}

function addToGateway(id: string, changes: Parameters<typeof describeInstance>[1] = {}): void {
  const description = describeInstance(id, changes);
  const known = { description, liveValues: describedLiveValues(description) };
  gateway.readModel.laneState(1, 1, [known], []);
}

interface Event {
  readonly id?: string;
  readonly event?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a client gets is looked at, not typed.
  readonly data?: any;
  readonly retry?: string;
}

class EventStream {
  readonly events: Event[] = [];
  readonly answered: Promise<IncomingMessage>;
  text = '';
  ended = false;
  readonly #request: ClientRequest;

  constructor(of = path, headers: Record<string, string> = {}) {
    this.#request = httpRequest({ port: gateway.port, path: of, headers, agent: false });
    this.#request.on('error', () => {});
    this.answered = new Promise((resolve) => this.#request.once('response', resolve));
    void this.answered.then((response) => {
      response.on('error', () => {});
      response.on('end', () => {
        this.ended = true;
      });
      response.on('data', (chunk: Buffer) => this.#take(chunk.toString('utf8')));
    });
    this.#request.end();
    streams.push(this);
  }

  #take(chunk: string): void {
    this.text += chunk;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) this.events.push(eventOf(block));
  }

  of(type: string): Event[] {
    return this.events.filter(({ event }) => event === type);
  }

  get lastId(): string | undefined {
    return this.events.findLast(({ id }) => id !== undefined)?.id;
  }

  destroy(): void {
    this.#request.destroy();
  }
}

function eventOf(block: string): Event {
  const fields = block.split('\n').filter((line) => !line.startsWith(':'));
  const event = Object.fromEntries(
    fields.map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]),
  );
  return event.data === undefined ? event : { ...event, data: JSON.parse(event.data) };
}

async function open(of = path, headers: Record<string, string> = {}): Promise<EventStream> {
  const stream = new EventStream(of, headers);
  expect((await stream.answered).statusCode).toBe(200);
  await until(() => stream.of('JackpotUpdate').length > 0 && stream.lastId !== undefined);
  return stream;
}

async function refusal(of = path, headers: Record<string, string> = {}) {
  const { status, json } = await gateway.call('GET', of, { headers });
  return [status, json?.code];
}

describe('Server-Sent Events', () => {
  test('carry the frames of the websocket, for pages of every origin and no cache', async () => {
    const stream = await open(path, { Origin: 'https://anywhere.example' });
    const { headers } = await stream.answered;
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'x-accel-buffering': 'no',
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(Number(stream.events[0]!.retry)).toBeGreaterThanOrEqual(500);
    expect(stream.of('JackpotUpdate')[0]!.data).toMatchObject({
      msg_type: 'Event',
      event_type: 'JackpotUpdate',
      instance_id: 'pot-1',
      data: { id: 'pot-1', currency: 'EUR', event_seq: 0 },
    });
    feed.store([won('pot-1', 1)]);
    await until(() => stream.of('WinEvent').length === 1);
    expect(stream.of('WinEvent')[0]!.data.data).toMatchObject({ player_id: 'pl***', win_amount: 123.45 });
  });

  test('recover what was missed with the Last-Event-ID of all instances', async () => {
    feed.addInstance('pot-2', { eventCounter: 7 });
    const first = await open();
    await until(() => first.lastId?.includes('pot-2') === true);
    feed.store([statusChanged('pot-2', 8, 'Suspended')]);
    await until(() => first.of('InstanceStatusEvent').length === 1);
    const id = first.lastId!;
    expect(new Set(id.split(','))).toEqual(new Set(['pot-1=0', 'pot-2=8']));
    first.destroy();
    feed.store([won('pot-1', 1), statusChanged('pot-2', 9, 'Active')]);
    const seen = await open(path);
    await until(() => seen.of('JackpotUpdate').some(({ data }) => data.data.event_seq === 9));
    const back = await open(path, { 'Last-Event-ID': id });
    await until(() => back.of('WinEvent').length + back.of('InstanceStatusEvent').length === 2);
    expect(back.of('JackpotUpdate').map(({ data }) => data.data.recovered)).toEqual([true, true]);
    expect(back.of('WinEvent')[0]!.data.seq).toBe(1);
    expect(back.of('InstanceStatusEvent')[0]!.data.seq).toBe(9);
  });

  test.each([
    '',
    'x',
    'pot-1',
    'pot-1=',
    'pot-1=-1',
    'pot-1=1,',
    '=1',
    'a b=1',
    `${'a'.repeat(65)}=1`,
    'é=1',
  ])('begin anew with a Last-Event-ID of %s', async (id) => {
    const stream = await open(path, { 'Last-Event-ID': Buffer.from(id).toString('latin1') });
    expect(stream.of('JackpotUpdate')[0]!.data.data.recovered).toBeUndefined();
  });

  test('have an id that a header can carry, however many instances there are', async () => {
    const instances = Array.from({ length: 200 }, (_, at) => `${at}`.padStart(64, 'i'));
    for (const instance of instances) feed.addInstance(instance, { eventCounter: 1_000_000 });
    const stream = await open();
    await until(() => stream.of('JackpotUpdate').length >= publicJackpots);
    feed.store(instances.map((instance) => statusChanged(instance, 1_000_001, 'Suspended')));
    await until(() => stream.of('InstanceStatusEvent').length === 200);
    expect(stream.lastId!.length).toBeLessThanOrEqual(3_000);
    expect(stream.lastId!.endsWith(`${instances.at(-1)}=1000001`)).toBe(true);
    stream.destroy();
    feed.store([statusChanged(instances.at(-1)!, 1_000_002, 'Active')]);
    const back = await open(path, { 'Last-Event-ID': stream.lastId! });
    await until(() => back.of('InstanceStatusEvent').length === 1);
    expect(back.of('InstanceStatusEvent')[0]!.data.seq).toBe(1_000_002);
  });

  test('show some instances, and values in a currency', async () => {
    feed.addInstance('pot-2');
    const stream = await open(`${path}?instance_ids=pot-2&currency=USD`);
    feed.store([statusChanged('pot-1', 1, 'Suspended'), statusChanged('pot-2', 1, 'Suspended')]);
    await until(() => stream.of('InstanceStatusEvent').length === 1);
    expect(new Set(stream.events.flatMap(({ data }) => data?.instance_id ?? []))).toEqual(new Set(['pot-2']));
    expect(stream.of('JackpotUpdate')[0]!.data.data.currency).toBe('USD');
  });

  test('end with the close of the feed when it is turned off, and are not there again', async () => {
    const stream = await open();
    set({});
    await until(() => stream.ended);
    expect(stream.of('close').map(({ data }) => data)).toEqual([{ code: 4403, reason: 'forbidden' }]);
    expect(await refusal()).toEqual([404, 'brand_not_found']);
  });

  test('end with a close when the fan-out or the gateway goes, and with their client', async () => {
    const left = await open();
    await until(() => feed.connections() === 1);
    left.destroy();
    await until(() => feed.connections() === 0);
    const stream = await open();
    await feed.fanout.stop();
    await until(() => stream.ended);
    expect(stream.of('close').map(({ data }) => data)).toEqual([{ code: 1001, reason: 'shutdown' }]);
    expect(await refusal()).toEqual([503, 'overloaded']);
    await feed.startFanout();
  });

  test('of a gateway that stops end with a close, too', async () => {
    const stream = await open();
    const stopped = gateway.stop();
    await until(() => stream.ended);
    expect(stream.of('close').map(({ data }) => data)).toEqual([{ code: 1001, reason: 'shutdown' }]);
    await stopped;
    gateway = await startTestGateway();
  });

  test('are not read ahead for a client that does not read, which loses nothing', async () => {
    const fanout = new WebSocketServer({ port: 0 });
    const sockets: WebSocket[] = [];
    fanout.on('connection', (socket) => sockets.push(socket));
    const { port } = fanout.address() as { port: number };
    const other = await startTestGateway({ fanoutPort: port });
    const entries = [
      gateway.readModel.entries.operators.get('demo'),
      gateway.readModel.entries.brands.get('demo:main'),
    ];
    for (const entry of entries)
      other.readModel.directoryChanged({ kind: 'set', entry: entry! }, other.readModel.revision + 1);
    const client = new RawClient(other.port);
    client.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => client.text.includes('retry: '));
    client.socket.pause();
    const [socket] = sockets;
    const padding = 'x'.repeat(64 * 1024);
    let sent = 0;
    while (socket!.bufferedAmount < 4_000_000) {
      sent += 1;
      const head = '{"msg_type":"Event","source":"jackpot","event_type":"WinEvent","instance_id":"pot-1"';
      socket!.send(`${head},"seq":${sent},"data":"${padding}"}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    client.socket.resume();
    await until(() => client.text.includes(`id: pot-1=${sent}\n`));
    const ids = [...client.text.matchAll(/\nid: pot-1=(\d+)\n/g)].map(([, seq]) => Number(seq));
    expect(ids).toEqual(Array.from({ length: sent }, (_, at) => at + 1));
    client.socket.destroy();
    await other.stop();
    fanout.close();
  });

  test.each([
    ['an unknown brand', '/v1/public/demo/none/events', [404, 'brand_not_found']],
    ['an unknown currency', `${path}?currency=XXX`, [422, 'currency_unknown']],
    ['an unknown input', `${path}?token=x`, [400, 'invalid_parameter']],
    ['instances that are none', `${path}?instance_ids=a,,b`, [400, 'invalid_parameter']],
    ['too many instances', `${path}?instance_ids=${Array(17).fill('a')}`, [400, 'invalid_parameter']],
    ['a malformed brand', '/v1/public/demo/a%20b/events', [400, 'invalid_identifier']],
  ])('are refused for %s', async (_, of, expected) => {
    expect(await refusal(of)).toEqual(expected);
  });

  test('HEAD has the head alone, and other methods are none', async () => {
    expect((await gateway.call('HEAD', path)).status).toBe(200);
    expect(await gateway.call('POST', path)).toMatchObject({ status: 405 });
    expect(feed.connections()).toBe(0);
  });
});

describe('a websocket at the same address', () => {
  const upgrade = (of = path) => new WebSocket(`ws://127.0.0.1:${gateway.port}${of}`);

  test('is the fan-out’s', async () => {
    const socket = upgrade();
    const frames: string[] = [];
    socket.on('message', (frame) => frames.push(String(frame)));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"SubscribeRequest":{"events":[{"source":"jackpot","event_type":"*"}]}}');
    await until(() => frames.length > 0);
    socket.terminate();
  });

  test('shares the places of an address with streams, and with no other feed', async () => {
    for (let places = 0; places < 2; places += 1) await open();
    const socket = upgrade();
    await new Promise((resolve) => socket.once('open', resolve));
    expect(await refusal()).toEqual([429, 'too_many_connections']);
    const full = upgrade();
    const status = await new Promise((resolve) => {
      full.on('error', () => {});
      full.once('unexpected-response', (_, answer) => resolve(answer.statusCode));
    });
    expect(status).toBe(429);
    const other = upgrade('/v1/jackpot/status');
    await new Promise((resolve) => other.once('open', resolve));
    other.terminate();
    socket.terminate();
    await until(() => gateway.feedSockets() === 0);
    await open();
  });

  test('malformed handshakes and frames end their connection alone', async () => {
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    const short = new RawClient(gateway.port);
    short.send(`${head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n`);
    await until(() => short.closed || short.ended);
    expect(short.statuses()).toEqual([400]);
    const unmasked = new RawClient(gateway.port);
    unmasked.send(`${head}${key}\r\n`);
    await until(() => unmasked.text.includes('101'));
    unmasked.send(Buffer.from([0x81, 0x02, 0x7b, 0x7d]));
    await until(() => unmasked.closed || unmasked.ended);
    // The close frame: 1002.
    expect(Buffer.from(unmasked.text, 'latin1').includes(Buffer.from([0x03, 0xea]))).toBe(true);
    for (const client of [short, unmasked]) client.socket.destroy();
    const h2c = new EventStream(path, {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'x',
    });
    expect((await h2c.answered).statusCode).toBe(200);
  });
});

describe('the snapshot', () => {
  const snapshot = (headers: Record<string, string> = {}, of = `${brand}/jackpots`) =>
    gateway.call('GET', of, { headers });

  test('has what the feed shows, for caches and pages of every origin', async () => {
    addToGateway('pot-2', { owner: 'rival' });
    addToGateway('pot-3', { status: 'Completed' });
    addToGateway('pot-4');
    const { status, headers, json } = await snapshot();
    expect([status, headers['cache-control'], headers['access-control-allow-origin']]).toEqual([
      200,
      'public, max-age=1',
      '*',
    ]);
    expect(headers.vary).toBeUndefined();
    expect(json.jackpots.map(({ id }: { id: string }) => id)).toEqual(['pot-1', 'pot-4', 'pot-3']);
    expect(json.jackpots[0]).toEqual({
      id: 'pot-1',
      currency: 'EUR',
      pots: [{ id: 'main', current_value: '100' }],
      allowed_sources: [],
      status: 'Active',
      timestamp_start: 1,
      timestamp_end: null,
      last_updated: 1_700_000_000_000,
    });
    const usd = await snapshot({}, `${brand}/jackpots?currency=USD`);
    expect(usd.json.jackpots[0]).toMatchObject({ currency: 'USD', pots: [{ current_value: '200' }] });
  });

  test('is sent once to who has it, until something changes', async () => {
    const { headers } = await snapshot();
    const tag = { 'If-None-Match': String(headers.etag) };
    const again = await snapshot(tag);
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    addToGateway('pot-5');
    expect((await snapshot(tag)).status).toBe(200);
  });

  test('is not there where the feed is not', async () => {
    set({ public_winners: true });
    expect(await refusal(`${brand}/jackpots`)).toEqual([404, 'brand_not_found']);
  });

  test('has at most 64 jackpots', async () => {
    for (let at = 0; at < 70; at += 1) addToGateway(`more-${at}`);
    expect((await snapshot()).json.jackpots).toHaveLength(publicJackpots);
  });
});

test('a page of any origin may ask first, on public paths alone', async () => {
  const headers = { Origin: 'https://anywhere.example', 'Access-Control-Request-Method': 'GET' };
  const allowed = await gateway.call('OPTIONS', `${brand}/jackpots`, { headers });
  expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([204, '*']);
  expect((await gateway.call('OPTIONS', '/v1/currencies/main', { headers })).status).toBe(403);
});
