import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { laneTimestampMs, quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { line, type ResultLine, StreamClient, stream, textOf } from './stream-client.ts';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.commands.length = 0;
  gateway.respond = quiet;
});

const send = (text: string | Buffer) => stream(gateway.port, token, text);
const byRef = (lines: readonly ResultLine[]) =>
  lines.toSorted((a, b) => String(a.ref).localeCompare(String(b.ref)));
const codes = (lines: readonly ResultLine[]) =>
  lines.map(({ ref, line: number, error }) => [ref ?? number, error?.code ?? 'ok']);
const players = () =>
  gateway.commands.map((command) => (command as Extract<Command, { kind: 'Contribute' }>).player);

describe('a line', () => {
  it('is answered with its ref and the results of O16', async () => {
    const result = {
      instance_id: 'gold',
      timestamp: laneTimestampMs,
      gameround_id: 'round-a',
      win_amount: 0,
      win_pot_id: null,
      tickets_awarded: 0,
      win_withheld: false,
      contribution_currency: 'EUR',
      contribution_amount: 0.1,
      bonus_amount_used: 0,
      metadata: { table: 7 },
    };
    expect(await send(textOf([line('a', { metadata: { table: 7 } })]))).toEqual([
      { ref: 'a', results: [result] },
    ]);
  });

  it('may have a number for a ref, or one that another line has', async () => {
    const lines = await send(textOf([line(7), line('7'), line('same'), line('same')]));
    expect(lines.map(({ ref }) => ref).toSorted()).toEqual([7, '7', 'same', 'same']);
    expect(gateway.commands).toHaveLength(4);
  });

  it('may have a whole number of 16 digits for a ref', async () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const lines = [line(largest), line(largest, { base_wager: { currency: 'EUR', value: largest } })];
    expect(codes(await send(textOf(lines))).toSorted()).toEqual([
      [largest, 'amount_out_of_range'],
      [largest, 'ok'],
    ]);
  });

  it('is answered by its number where its ref is missing or no good', async () => {
    const refs = [undefined, null, '', 'a'.repeat(129), 'a\u0000', -1, 1.5, true, ['a'], { a: 1 }, 2 ** 53];
    const lines = await send(textOf(refs.map((ref) => ({ ...line('x'), ref }))));
    expect(lines.map(({ ref, line: number, error }) => [ref, number, error.code])).toEqual(
      refs.map((_, index) => [null, index + 1, 'invalid_request']),
    );
    expect(gateway.commands).toEqual([]);
  });

  it('that is wrong gets its error, and the stream goes on', async () => {
    const good = line('good');
    const text = [
      'no json',
      '[]',
      '7',
      'null',
      '{"ref":"twice","ref":"twice"}',
      '{"ref":"twice","r\\u0065f":"twice"}',
      JSON.stringify(good).replace('"ref":"good"', '"ref":"same","operator_id":"demo"'),
      JSON.stringify(line('deep', { metadata: '@' })).replace('"@"', `${'['.repeat(17)}${']'.repeat(17)}`),
      JSON.stringify(line('prototype')).replace('"ref"', '"__proto__":{"ref":1,"x":[{}]},"ref"'),
      JSON.stringify(good).replace('"ref":"good"', '"ref":"unknown","idempotence_key":"x"'),
      JSON.stringify(line('number')).replace('"value":1', '"value":1e400'),
      JSON.stringify(line('zero')).replace('"value":1', '"value":-0'),
      JSON.stringify(line('digits')).replace('"value":1', '"value":0.12345678901234567'),
      JSON.stringify(line('foreign', { target: { type: 'instance', id: 'foreign' } })),
      JSON.stringify(line('brand', { player: { ...(good.player as object), brand_id: 'closed' } })),
      JSON.stringify(line('metadata', { metadata: 'a'.repeat(9_000) })),
      JSON.stringify(good),
    ].join('\n');
    expect(codes(await send(text)).toSorted()).toEqual(
      [
        [1, 'invalid_json'],
        [2, 'invalid_request'],
        [3, 'invalid_request'],
        [4, 'invalid_request'],
        [5, 'duplicate_json_key'],
        [6, 'duplicate_json_key'],
        ['same', 'duplicate_json_key'],
        ['deep', 'payload_too_deep'],
        ['prototype', 'invalid_request'],
        ['unknown', 'invalid_request'],
        ['number', 'amount_out_of_range'],
        ['zero', 'invalid_request'],
        ['digits', 'ok'],
        ['foreign', 'instance_not_found'],
        ['brand', 'owner_disabled'],
        ['metadata', 'payload_too_large'],
        ['good', 'ok'],
      ].toSorted(),
    );
    expect(players()).toEqual(['player-digits', 'player-good']);
  });

  it('says when to come back where a request would', async () => {
    gateway.respond = () => Promise.reject(new PublicError('storage_unavailable'));
    const [answer] = await send(textOf([line('a')]));
    expect(answer).toMatchObject({ ref: 'a', error: { status_code: 503 }, retry_after: 1 });
  });

  it('that meets a bug of ours is an internal error', async () => {
    const other = await startTestGateway();
    other.respond = () => ({ kind: 'Done', instance: '', version: 1 });
    const lines = await stream(other.port, await other.serviceToken(), textOf([line('a')]));
    expect(lines).toMatchObject([{ ref: 'a', error: { status_code: 500, code: 'internal_error' } }]);
    await expect(other.stop()).rejects.toThrow('requests met bugs');
  });

  it('with a key that was met before gets the first results', async () => {
    const keyed = line('a', { options: { idempotency_key: 'k' }, metadata: [1] });
    const [first] = await send(textOf([keyed]));
    gateway.respond = () => ({ kind: 'Duplicate', sequence: 1, index: 0 }) as never;
    expect(await send(textOf([{ ...keyed, ref: 'b' }]))).toEqual([{ ...first, ref: 'b', replayed: true }]);
    const other = { ...keyed, base_wager: { currency: 'EUR', value: 2 } };
    expect(codes(await send(textOf([other])))).toEqual([['a', 'idempotency_key_reused']]);
  });
});

describe('bytes', () => {
  it('may be cut anywhere, with any ends of lines', async () => {
    const refs = Array.from({ length: 12 }, (_, index) => `ü-${index}`);
    const ends = ['\n', '\r\n', '\n\n', '\r\n \t\r\n'];
    const bytes = Buffer.from(
      refs.map((ref, index) => JSON.stringify(line(ref)) + ends[index % ends.length]).join(''),
    );
    for (const size of [1, 7, 64, bytes.length]) {
      const client = new StreamClient(gateway.port, { token });
      for (let at = 0; at < bytes.length; at += size) client.send(bytes.subarray(at, at + size));
      client.end();
      expect(byRef(await client.results()).map(({ ref, error }) => [ref, error])).toEqual(
        refs.toSorted().map((ref) => [ref, undefined]),
      );
    }
  });

  it('behind the last line feed are a line', async () => {
    expect(codes(await send(JSON.stringify(line('last'))))).toEqual([['last', 'ok']]);
  });

  it('that are no UTF-8, or a byte order mark, spoil their line only', async () => {
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    const bad = Buffer.from([0x22, 0xff, 0x22, 0x0a]);
    const good = Buffer.from(textOf([line('good')]));
    const lines = await send(Buffer.concat([mark, good, bad, good]));
    expect(codes(lines)).toEqual([
      [1, 'invalid_json'],
      [2, 'invalid_json'],
      ['good', 'ok'],
    ]);
  });

  it('are counted in lines, empty ones too', async () => {
    expect(codes(await send('\n\r\n \nbad\n'))).toEqual([[4, 'invalid_json']]);
    expect(await send('')).toEqual([]);
    expect(await send('\n\n')).toEqual([]);
  });

  it('of a line are at most 64 KiB: a larger one ends the stream, which says where', async () => {
    const limit = 64 * 1024;
    const padded = (ref: string, bytes: number) => JSON.stringify(line(ref)).padEnd(bytes, ' ');
    expect(codes(await send(`${padded('a', limit)}\n`))).toEqual([['a', 'ok']]);
    const lines = await send(`${textOf([line('a')])}\n${padded('b', limit + 1)}\n${textOf([line('c')])}`);
    expect(lines).toMatchObject([
      { ref: 'a', results: [{}] },
      { ref: null, line: 3, error: { status_code: 413, code: 'payload_too_large' }, end: true },
    ]);
    const endless = new StreamClient(gateway.port, { token });
    for (let sent = 0; sent <= limit; sent += 1024) endless.send(' '.repeat(1024));
    expect(await endless.results()).toMatchObject([{ line: 1, error: { status_code: 413 }, end: true }]);
    await endless.until(() => endless.closed);
  });
});
