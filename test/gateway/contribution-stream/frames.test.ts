import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import { laneTimestampMs, quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { framed, frameOf, framesForm, membersOf, packed } from './forms.ts';
import { line, type ResultLine, StreamClient, stream } from './stream-client.ts';

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

const send = (...parts: readonly Buffer[]) => stream(gateway.port, token, Buffer.concat(parts), framesForm);
const good = (ref: unknown, changes: object = {}) => frameOf(membersOf(line(ref, changes as never)));
const codes = (lines: readonly ResultLine[]) =>
  lines.map(({ ref, line: number, error }) => [ref ?? number, error?.code ?? 'ok']);
const commands = () => gateway.commands as Extract<Command, { kind: 'Contribute' }>[];

/** A good frame with one of its members as other bytes. */
function withMember(ref: unknown, place: number, bytes: readonly number[]): Buffer {
  const members = membersOf(line(ref));
  while (members.length <= place) members.push(null);
  const parts = members.map((member, at) => (at === place ? Buffer.from(bytes) : packed(member)));
  const head = members.length < 16 ? [0x90 | members.length] : [0xdc, 0, members.length];
  return framed(Buffer.concat([Buffer.from(head), ...parts]));
}

const place = {
  ref: 0,
  target: 1,
  player: 5,
  country: 7,
  amount: 9,
  key: 11,
  metadata: 12,
  segments: 14,
  linked: 18,
};
const text = (value: string) => [...packed(value)];
const float64 = (value: number) => {
  const bytes = Buffer.alloc(9);
  bytes[0] = 0xcb;
  bytes.writeDoubleBE(value, 1);
  return [...bytes];
};

describe('a frame', () => {
  it('is answered with its ref and the results of O16', async () => {
    const client = new StreamClient(gateway.port, { token, form: framesForm });
    client.sendLines([line('a', { metadata: { table: 7 } })]);
    client.end();
    expect(await client.results()).toEqual([
      {
        ref: 'a',
        results: [
          {
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
          },
        ],
      },
    ]);
    expect(client.response?.headers['content-type']).toBe(
      'application/vnd.potstream.contributions+msgpack; version=1',
    );
  });

  it('says what a line says, all members of it', async () => {
    const full = {
      source: { type: 'bet', id: 'bet-é' },
      player: {
        id: 'ada',
        token: 't'.repeat(300),
        country: 'US-NJ',
        brand_id: 'acme:main',
        segments: ['a', 'b'],
      },
      base_wager: { currency: 'USD', value: '12.34000001' },
      metadata: [1, { a: 'ü' }],
      event_metadata: { b: null },
      options: {
        vertical_id: 'slots',
        game_code: 'g',
        game_category: 'c',
        allow_linked_contributions: true,
        idempotency_key: 'key',
        bonus: { bonus_id: 'b-1', amount: 0.5, currency: 'EUR' },
      },
    };
    expect(codes(await send(good('a', full)))).toEqual([['a', 'ok']]);
    const asLine = await stream(gateway.port, token, `${JSON.stringify(line('a', full))}\n`);
    expect(codes(asLine)).toEqual([['a', 'ok']]);
    const [framedCommand, command] = commands();
    expect({ ...framedCommand, contributionId: null }).toEqual({ ...command, contributionId: null });
  });

  it('may have a number for a ref, in any encoding, or one that another frame has', async () => {
    const refs: [readonly number[], unknown][] = [
      [[0x07], 7],
      [[0xcc, 0x07], 7],
      [[0xcf, 0, 0, 0, 0, 0, 0, 0, 7], 7],
      [[0xd3, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], Number.MAX_SAFE_INTEGER],
      [float64(2 ** 40), 2 ** 40],
      [[0xca, 0x3f, 0x80, 0, 0], 1],
      [[0xdb, 0, 0, 0, 1, 0x61], 'a'],
      [text('é'), 'é'],
    ];
    const lines = await send(...refs.map(([bytes]) => withMember('x', place.ref, bytes)));
    expect(lines.map(({ ref }) => ref)).toEqual(refs.map(([, ref]) => ref));
    expect(gateway.commands).toHaveLength(refs.length);
  });

  it('is answered by its number where its ref is no good', async () => {
    const refs = [
      [0xc0],
      [0xc3],
      text(''),
      text('a'.repeat(129)),
      text('a\u0000'),
      [0xff],
      float64(1.5),
      [0xcf, 0, 0x20, 0, 0, 0, 0, 0, 0],
      [0x91, 0x01],
    ];
    const lines = await send(...refs.map((bytes) => withMember('x', place.ref, bytes)));
    expect(lines.map(({ ref, line: number, error }) => [ref, number, error?.code])).toEqual(
      refs.map((_, index) => [null, index + 1, 'invalid_request']),
    );
    expect(gateway.commands).toEqual([]);
  });

  it.each([
    [[0x0c], 1_200_000_000n],
    [[0xcc, 200], 20_000_000_000n],
    [[0xcd, 1, 0], 25_600_000_000n],
    [[0xce, 1, 0, 0, 0], 1_677_721_600_000_000n],
    [[0xcf, 0, 0, 0, 1, 0, 0, 0, 0], 429_496_729_600_000_000n],
    [[0xd3, 0, 0, 0, 0, 0, 0, 0, 5], 500_000_000n],
    [float64(0.1), 10_000_000n],
    [float64(12.34), 1_234_000_000n],
    [float64(1e10), 10n ** 18n],
    [[0xca, 0x3f, 0, 0, 0], 50_000_000n],
    // The double nearest to 0.1 in 32 bits is another number, and so are these.
    [[0xca, 0x3d, 0xcc, 0xcc, 0xcd], 10_000_000n],
    [float64(0.30000000000000004), 30_000_000n],
    [float64(0.123456789), 12_345_679n],
    [text('0.00000001'), 1n],
    [text('90000000000'), 9n * 10n ** 18n],
    [text('1.50'), 150_000_000n],
  ])('takes an amount as it is: %j', async (bytes, atoms) => {
    expect(codes(await send(withMember('a', place.amount, bytes)))).toEqual([['a', 'ok']]);
    expect(commands()[0]?.baseWagerAtoms).toBe(atoms);
  });

  it.each([
    ['a text of nine decimals', text('0.123456789'), 'amount_precision'],
    ['2^53 + 1', [0xcf, 0, 0x20, 0, 0, 0, 0, 0, 1], 'amount_out_of_range'],
    ['10^18', [0xcf, 0x0d, 0xe0, 0xb6, 0xb3, 0xa7, 0x64, 0, 0], 'amount_out_of_range'],
    ['1e300', float64(1e300), 'amount_out_of_range'],
    ['−1', [0xff], 'amount_negative'],
    ['−2^63', [0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0], 'amount_negative'],
    ['−0', float64(-0), 'invalid_request'],
    ['NaN', float64(Number.NaN), 'invalid_request'],
    ['∞', float64(Number.POSITIVE_INFINITY), 'invalid_request'],
    ['a text with an exponent', text('1e2'), 'invalid_request'],
    ['a text with a plus', text('+1'), 'invalid_request'],
    ['a text with a zero before it', text('01'), 'invalid_request'],
    ['nothing', [0xc0], 'invalid_request'],
    ['a list', [0x91, 0x01], 'invalid_request'],
  ])('refuses an amount that is not exact, or none: %s', async (_, bytes, code) => {
    expect(codes(await send(withMember('a', place.amount, bytes), good('b')))).toEqual(
      expect.arrayContaining([
        ['a', code],
        ['b', 'ok'],
      ]),
    );
    expect(gateway.commands).toHaveLength(1);
  });
});

describe('a frame of hostile bytes', () => {
  const bytesOf = (...bytes: number[]) => framed(Buffer.from(bytes));
  const shorter = (ref: unknown) => framed(good(ref).subarray(4, -1));
  const longer = (ref: unknown) => framed(Buffer.concat([good(ref).subarray(4), Buffer.from([0xc0])]));
  const deep = (levels: number) => Buffer.concat([Buffer.alloc(levels, 0x91), Buffer.from([0xc0])]);
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  const unnamed: [string, Buffer][] = [
    ['no array', bytesOf(0x01)],
    ['a text', frameOf('frame')],
    ['an empty array', bytesOf(0x90)],
    ['a map', frameOf({ ref: 'a' })],
    ['a map with __proto__', bytesOf(0x81, ...text('__proto__'), 0x80)],
    ['a map with a key twice', bytesOf(0x82, ...text('a'), 1, ...text('a'), 2)],
    ['a map of four thousand million', bytesOf(0xdf, 0xff, 0xff, 0xff, 0xff)],
    ['an array of four thousand million', bytesOf(0xdd, 0xff, 0xff, 0xff, 0xff)],
    ['an array of 65,535', bytesOf(0xdc, 0xff, 0xff)],
    ['an array without its length', bytesOf(0xdd, 0xff)],
    ['a text of four gibibytes', bytesOf(0x9b, 0xdb, 0xff, 0xff, 0xff, 0xff)],
    ['a text without its length', bytesOf(0x9b, 0xda, 0xff)],
    ['a binary value of four gibibytes', bytesOf(0x9b, 0xc6, 0xff, 0xff, 0xff, 0xff)],
    ['the byte that MessagePack never uses', bytesOf(0xc1)],
    ['the same inside', bytesOf(0x9b, 0xc1)],
    ['sixty thousand levels', framed(deep(60_000))],
    ['sixty thousand zeros', framed(Buffer.alloc(60_000))],
    ['an extension', bytesOf(0xd4, 0x01, 0x00)],
    ['an extension of four gibibytes', bytesOf(0x9b, 0xc9, 0xff, 0xff, 0xff, 0xff, 0x01)],
    // What msgpackr itself would make of these: a record structure, a regular expression, an error, a big integer, a shared reference.
    ['a record of msgpackr', bytesOf(0x9b, 0xd4, 0x72, 0x40, 0x91, ...text('ref'), 0x01)],
    ['an expression of msgpackr', bytesOf(0x9b, 0xc7, 0x06, 0x78, 0x92, ...text('a+'), ...text('g'))],
    ['an error of msgpackr', bytesOf(0x9b, 0xc7, 0x03, 0x65, 0x92, ...text(''), 0xc0)],
    ['a timestamp', bytesOf(0x9b, 0xd6, 0xff, 0, 0, 0, 0)],
  ];
  const named: [string, Buffer, string?][] = [
    ['a byte too few', shorter('a')],
    ['a byte too many', longer('a')],
    ['a value behind it', framed(Buffer.concat([good('a').subarray(4), good('b').subarray(4)]))],
    ['ten members', frameOf(membersOf(line('a')).slice(0, 10))],
    ['twenty-three members', frameOf([...membersOf(line('a')), ...Array(12).fill(null)])],
    ['text that is not UTF-8', withMember('a', place.player, [0xa2, 0xc3, 0x28])],
    ['half of a surrogate pair', withMember('a', place.player, [0xa3, 0xed, 0xa0, 0x80])],
    ['an overlong slash', withMember('a', place.player, [0xa2, 0xc0, 0xaf])],
    ['a binary value for a text', withMember('a', place.player, [0xc4, 0x01, 0x61])],
    ['an extension for a text', withMember('a', place.player, [0xd4, 0x01, 0x00])],
    ['a number for a text', withMember('a', place.player, [0x01])],
    ['a flag for a text', withMember('a', place.country, [0xc3])],
    ['an integer of 64 bits for a text', withMember('a', place.player, [0xcf, 0xff, 0, 0, 0, 0, 0, 0, 0])],
    ['a text for a target', withMember('a', place.target, text('instance'))],
    ['a target that is not known', withMember('a', place.target, [0x02])],
    ['a number for a flag', withMember('a', place.linked, [0x01])],
    ['a list in a list', withMember('a', place.segments, [0x91, 0x91, 0x91, 0x91, 0xc0])],
    ['a number in a list of texts', withMember('a', place.segments, [0x91, 0x01])],
    ['257 segments', withMember('a', place.segments, [0xdc, 1, 1, ...Array(257).fill([0xa1, 0x61]).flat()])],
    ['a list for a key', withMember('a', place.key, [0x91, ...text('k')])],
    ['a map for metadata', withMember('a', place.metadata, [0x80])],
    ['a number for metadata', withMember('a', place.metadata, [0x01])],
    ['a text of metadata that is no JSON', withMember('a', place.metadata, text('{')), 'invalid_json'],
    ['none', withMember('a', place.metadata, text('')), 'invalid_json'],
    ['two values', withMember('a', place.metadata, text('1,2')), 'invalid_json'],
    ['two lists', withMember('a', place.metadata, text('1],[2')), 'invalid_json'],
    ['two members', withMember('a', place.metadata, text('1,"data":2')), 'invalid_json'],
    ['a key twice', withMember('a', place.metadata, text('{"a":1,"a":2}')), 'duplicate_json_key'],
    ['__proto__', withMember('a', place.metadata, text('{"__proto__":{}}'))],
    ['17 levels', withMember('a', place.metadata, text(nested(17))), 'payload_too_deep'],
    ['9,000 bytes', withMember('a', place.metadata, text(`"${'x'.repeat(9_000)}"`)), 'payload_too_large'],
  ];

  it.each(unnamed)('gets its error by its number, and the stream goes on: %s', async (_, bytes) => {
    expect(codes(await send(good('before'), bytes, good('behind')))).toEqual(
      expect.arrayContaining([
        ['before', 'ok'],
        [2, 'invalid_request'],
        ['behind', 'ok'],
      ]),
    );
    expect(gateway.commands).toHaveLength(2);
  });

  it.each(named)('gets its error by its ref, and the stream goes on: %s', async (_, bytes, code) => {
    expect(codes(await send(bytes, good('behind')))).toEqual(
      expect.arrayContaining([
        ['a', code ?? 'invalid_request'],
        ['behind', 'ok'],
      ]),
    );
    expect(gateway.commands).toHaveLength(1);
  });

  it('may nest metadata as deep as a body does', async () => {
    expect(codes(await send(withMember('a', place.metadata, text(nested(16)))))).toEqual([['a', 'ok']]);
  });
});

describe('the framing', () => {
  it('may be cut anywhere', async () => {
    const refs = Array.from({ length: 12 }, (_, index) => `ü-${index}`);
    const bytes = Buffer.concat(refs.flatMap((ref) => [good(ref), framesForm.blank]));
    for (const size of [1, 7, 64, bytes.length]) {
      const client = new StreamClient(gateway.port, { token, form: framesForm });
      for (let at = 0; at < bytes.length; at += size) client.send(bytes.subarray(at, at + size));
      client.end();
      expect((await client.results()).map(({ ref, error }) => [ref, error]).toSorted()).toEqual(
        refs.map((ref) => [ref, undefined]).toSorted(),
      );
    }
  });

  it('counts empty frames, and says nothing of them', async () => {
    const { blank } = framesForm;
    expect(await send(blank, blank)).toEqual([]);
    expect(codes(await send(blank, blank, frameOf(1)))).toEqual([[3, 'invalid_request']]);
  });

  it('that announces more than 64 KiB ends the stream before it comes, and says where', async () => {
    const limit = 64 * 1024;
    const lines = await send(good('a'), framesForm.blank, Buffer.from([0, 1, 0, 1]), good('c'));
    expect(lines).toMatchObject([
      { ref: 'a', results: [{}] },
      { ref: null, line: 3, error: { status_code: 413, code: 'payload_too_large' }, end: true },
    ]);
    expect(codes(await send(framed(Buffer.alloc(limit))))).toEqual([[1, 'invalid_request']]);
    const huge = new StreamClient(gateway.port, { token, form: framesForm });
    huge.send(Buffer.from([0xff]));
    for (const rest of [0xff, 0xff, 0xff]) huge.send(Buffer.from([rest]));
    expect(await huge.results()).toMatchObject([{ line: 1, error: { status_code: 413 }, end: true }]);
    await huge.until(() => huge.closed);
  });

  it('that is cut short ends the stream, and says where', async () => {
    for (const cut of [1, 3, 4, 10, good('b').length - 1]) {
      const lines = await send(good('a'), good('b').subarray(0, cut));
      expect(lines).toMatchObject([
        { ref: 'a', results: [{}] },
        { ref: null, line: 2, error: { status_code: 400, code: 'malformed_http' }, end: true },
      ]);
    }
  });
});

describe('the media type', () => {
  const status = async (type: string) => {
    const client = new StreamClient(gateway.port, {
      token,
      form: framesForm,
      headers: { 'content-type': type },
    });
    client.end();
    return client.status();
  };

  it('has a version, which is 1 where none is given', async () => {
    const { mediaType } = framesForm;
    for (const parameter of ['', ';', '; version=1', ';VERSION="1"', '; charset=utf-8', '; version=1; x=y'])
      expect(await status(`${mediaType}${parameter}`)).toBe(200);
    for (const parameter of ['; version=2', '; version=', '; x=y; version=2', 'x'])
      expect(await status(`${mediaType}${parameter}`)).toBe(415);
  });
});

describe('the example of the page', () => {
  const page = readFileSync(
    resolve(import.meta.dirname, '../../../docs/rules/contribution-frames.md'),
    'utf8',
  );
  const [sent, answered] = [...page.matchAll(/```\n((?:[0-9a-f]{2} ).*?)```/gs)].map(([, block]) =>
    Buffer.from(
      block!
        .split('\n')
        .map((row) => row.slice(0, 48))
        .join('')
        .replaceAll(' ', ''),
      'hex',
    ),
  );

  it('is answered as the page says, byte by byte', async () => {
    const client = new StreamClient(gateway.port, { token, form: framesForm });
    client.end(sent);
    await client.results();
    expect(client.bytes.toString('hex')).toBe(answered!.toString('hex'));
    expect(commands()[0]).toMatchObject({
      baseWagerAtoms: 150_000_000n,
      player: 'ada',
      gameround: 'round-1',
    });
  });
});
