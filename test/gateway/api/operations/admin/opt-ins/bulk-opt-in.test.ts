import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PublicError } from '../../../../../../src/gateway/base/errors.ts';
import type { BulkOptIn } from '../../../../../../src/messages/player-commands.ts';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
/** Of two groups, and so of two lanes. */
let near = '';
let far = '';
let outage: ((command: BulkOptIn) => void | Promise<void>) | null = null;

/** Time passes slowly: no upload is late, however busy the machine is. */
const startedMs = Date.now();

beforeAll(async () => {
  world = await startWorld({
    nowMs: () => startedMs + Math.floor((Date.now() - startedMs) / 4),
    sending(command) {
      return command.kind === 'BulkOptIn' ? outage?.(command) : undefined;
    },
  });
  await furnish(world);
  near = await createInstance(world);
  for (let tries = 0; far === ''; tries += 1) {
    const made = await createInstance(world, { group: `acme:group-${tries}` });
    if (world.readModel.known(made)!.lane !== world.readModel.known(near)!.lane) far = made;
  }
});
afterAll(() => world.stop());

const path = '/config/opt-ins/bulk';
const header = 'instance_id,brand_id,player_id,currency,opt_in';
const json = (body: unknown, options = {}) => world.call('POST', path, body, options);
const csv = (text: string | Buffer, type = 'text/csv', token?: string) => upload(text, type, token);

async function upload(body: string | Buffer, type: string, token?: string) {
  const response = await fetch(`http://127.0.0.1:${world.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${token ?? (await world.token())}` },
    body: body as unknown as string,
  });
  const text = await response.text();
  return { status: response.status, text, json: text === '' ? null : JSON.parse(text) };
}
const optedIn = async (instance = near): Promise<string[]> => {
  const all = await world.call('GET', `/config/instances/${instance}/opt-ins?opted_in=true&limit=500`);
  return all.json.map((status: { ext_player_id: string }) => status.ext_player_id).sort();
};
const isIn = (player: string, instance = near): boolean | undefined =>
  world.lanes[world.readModel.known(instance)!.lane]!.optInStatus(instance, 'acme:main', player)?.optedIn;
const rowsOf = (count: number, prefix: string, optIn = true): string =>
  Array.from({ length: count }, (_, i) => `${near},acme:main,${prefix}${i},EUR,${optIn}`).join('\n');
const bulkCommands = () => world.commands.filter(({ kind }) => kind === 'BulkOptIn') as BulkOptIn[];

describe('a bulk opt-in as JSON (A25)', () => {
  it('opts in and out, lists in order', async () => {
    const answer = await json([
      {
        instance_id: near,
        brand_id: 'acme:main',
        opt_ins: [
          { player_id: 'ann', currency: 'EUR' },
          { player_id: 'bob', currency: 'USD' },
        ],
        opt_outs: [{ player_id: 'bob', currency: 'USD' }],
      },
      { instance_id: far, brand_id: 'vip', opt_ins: [{ player_id: 'ann', currency: 'EUR' }], opt_outs: [] },
    ]);
    expect([answer.status, answer.json]).toEqual([200, { errors: {} }]);
    expect(await optedIn()).toEqual(['ann']);
    expect(await optedIn(far)).toEqual(['ann']);
  });

  it('opts out whatever the currency is', async () => {
    const list = { instance_id: near, brand_id: 'acme:main', opt_ins: [], opt_outs: [] };
    const leaver = (currency: string) => ({ player_id: 'leaver', currency });
    for (const currency of ['EUR', 'GBP', 'XYZ']) {
      await json([{ ...list, opt_ins: [leaver('EUR')] }]);
      expect(isIn('leaver')).toBe(true);
      expect((await json([{ ...list, opt_outs: [leaver(currency)] }])).json).toEqual({ errors: {} });
      expect(isIn('leaver')).toBe(false);
    }
  });

  it('names what cannot be done, and does the rest', async () => {
    const list = { instance_id: near, brand_id: 'acme:main', opt_ins: [], opt_outs: [] };
    const ann = { player_id: 'ann-2', currency: 'EUR' };
    const answer = await json([
      { ...list, opt_ins: [ann, { player_id: 'x', currency: 'XYZ' }] },
      { ...list, instance_id: 'none', opt_outs: [ann] },
      { ...list, brand_id: 'acme:none', opt_ins: [ann] },
      { ...list, brand_id: 'rival:main', opt_ins: [ann] },
    ]);
    expect(answer.json.errors).toEqual({
      [`${near}/acme:main/x`]: 'currency_unknown',
      'none/acme:main/ann-2': 'instance_not_found',
      [`${near}/acme:none/ann-2`]: 'brand_not_found',
      [`${near}/rival:main/ann-2`]: 'brand_not_allowed',
    });
    expect(await optedIn()).toContain('ann-2');
  });

  it('names what the instance does not take before an unknown currency', async () => {
    const closed = await createInstance(world, {
      overrides: { contribution_rules: { allowed_brands: ['acme:vip'] } },
    });
    const ended = await createInstance(world);
    const cancelled = { status: 'Cancelled', reason: 'not needed' };
    expect((await world.call('POST', `/config/instances/${ended}/status`, cancelled)).status).toBe(200);
    const list = { brand_id: 'acme:main', opt_ins: [{ player_id: 'x', currency: 'XYZ' }], opt_outs: [] };
    const answer = await json([
      { ...list, instance_id: closed },
      { ...list, instance_id: ended },
    ]);
    expect(answer.json.errors).toEqual({
      [`${closed}/acme:main/x`]: 'brand_not_allowed',
      [`${ended}/acme:main/x`]: 'instance_not_active',
    });
  });

  it.each([
    ['no list', { instance_id: 'x' }, 400, 'invalid_request'],
    ['a missing member', [{ instance_id: 'x', brand_id: 'b', opt_ins: [] }], 400, 'invalid_request'],
    [
      'an unknown member',
      [{ instance_id: 'x', brand_id: 'b', opt_ins: [], opt_outs: [], more: 1 }],
      400,
      'invalid_request',
    ],
    [
      'an id that is none',
      [{ instance_id: 'no id', brand_id: 'b', opt_ins: [], opt_outs: [] }],
      400,
      'invalid_identifier',
    ],
    [
      'an item without a currency',
      [{ instance_id: 'x', brand_id: 'b', opt_ins: [{ player_id: 'p' }], opt_outs: [] }],
      400,
      'invalid_request',
    ],
    [
      '50,001 rows',
      [
        {
          instance_id: 'x',
          brand_id: 'b',
          opt_ins: Array.from({ length: 25_000 }, () => ({ player_id: 'p', currency: 'EUR' })),
          opt_outs: Array.from({ length: 25_001 }, () => ({ player_id: 'p', currency: 'EUR' })),
        },
      ],
      413,
      'payload_too_large',
    ],
  ])('is refused with %s, as a whole', async (_, body, status, code) => {
    const before = world.commands.length;
    const answer = await json(body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(world.commands.length).toBe(before);
  });
});

describe('a bulk opt-in as CSV (A25)', () => {
  it('does each row, and names the others by their number', async () => {
    const answer = await csv(
      [
        header,
        `${near},acme:main,carla,EUR,true`,
        `${near},acme:main,carla`,
        `${near},acme:main,"da""n,1",EUR,true`,
        `${near},acme:main,eve,EUR,yes`,
        `no id,acme:main,eve,EUR,true`,
        `${near},acme:main,eve,,true`,
        `${far},vip,eve,EUR,true`,
        `none,acme:main,eve,EUR,false`,
        '',
      ].join('\r\n'),
    );
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json.errors).toEqual({
      2: 'csv_invalid',
      4: 'invalid_request',
      5: 'invalid_identifier',
      6: 'invalid_request',
      8: 'instance_not_found',
    });
    expect(await optedIn()).toEqual(expect.arrayContaining(['carla', 'da"n,1']));
    expect(await optedIn(far)).toContain('eve');
  });

  it.each([
    ['a mark of UTF-8 at its start', `\ufeff${header}\n`, 'text/csv'],
    ['the parameters of its type', `${header}\n`, 'text/csv; charset=UTF-8; header=present'],
    ['nothing behind the header', header, 'text/csv'],
  ])('may have %s', async (_, text, type) => {
    const answer = await csv(text, type);
    expect([answer.status, answer.text]).toEqual([200, '{"errors":{}}']);
  });

  it('has lines with an end of their own each', async () => {
    const row = (player: string) => `${near},acme:main,${player},EUR,true`;
    const text = `${header}\n${row('lf')}\n${row('crlf')}\r\n${row('cr')}\r${row('no id \u0007')}\r\n\r\n${row('last')}`;
    expect((await csv(text)).json.errors).toEqual({ 4: 'invalid_identifier' });
    expect(['lf', 'crlf', 'cr', 'last'].map((player) => isIn(player))).toEqual([true, true, true, true]);
    const other = await csv(`${header}\r\n${row('a')}\n${row('b')}\n${row('c')},\n${row('d')},more\n`);
    expect(other.json.errors).toEqual({ 4: 'csv_invalid' });
    expect(['a', 'b', 'c', 'd'].map((player) => isIn(player))).toEqual([true, true, true, false]);
  });

  const sheet = (name: string): Buffer => {
    const isWide = name.includes('utf16') || name.includes('unicode');
    const bytes = readFileSync(`test/fixtures/spreadsheets/opt-ins-${name}`);
    const encoding = isWide ? 'utf16le' : 'latin1';
    return Buffer.from(bytes.toString(encoding).replaceAll('NEAR', near), encoding);
  };
  it.each([
    ['libreoffice.csv', {}],
    ['libreoffice-german.csv', {}],
    ['libreoffice-utf16.csv', {}],
    ['excel-german.csv', {}],
    ['excel-unicode.txt', {}],
    ['excel-mac.csv', {}],
    ['google.csv', {}],
    // Its umlaut could be any letter.
    ['excel-ansi.csv', { 3: 'csv_invalid' }],
  ])('may come from a spreadsheet: %s', async (name, errors) => {
    const moves = ['sheet-1,EUR,false', '70123,EUR,false', '"Müller, ""Jo""",EUR,false', 'sheet-2,EUR,true'];
    await csv([header, ...moves.map((move) => `${near},acme:main,${move}`)].join('\n'));
    const areIn = () => ['sheet-1', '70123', 'Müller, "Jo"', 'sheet-2'].map((player) => isIn(player));
    expect(areIn()).toEqual([false, false, false, true]);
    // An id of twenty digits has become 1.23457E+19.
    expect((await csv(sheet(name))).json).toEqual({ errors: { ...errors, 4: 'invalid_identifier' } });
    expect(areIn()).toEqual([true, true, !('3' in errors), false]);
  });

  const row = () => `${near},acme:main,nobody,EUR,true`;
  it.each([
    ['a quote inside of a cell', () => 'a"b', { 2: 'csv_invalid' }],
    ['something behind a quote', () => '"a"b', { 2: 'csv_invalid' }],
    [
      'a quote that hides lines',
      () => `"a\n${row()}\n"b`,
      { 2: 'csv_invalid', 3: 'csv_invalid', 4: 'csv_invalid' },
    ],
    ['a line end in a cell', () => `"a\nb"`, { 2: 'csv_invalid', 3: 'csv_invalid' }],
    ['bytes that are no text', () => '\xc3', { 2: 'csv_invalid' }],
    ['more than 64 KiB in a row', () => 'x'.repeat(70_000), { 2: 'csv_invalid' }],
    ['a boolean of no spreadsheet', () => 'x,EUR,yes', { 2: 'csv_invalid' }],
  ])('does the other rows where one has %s', async (name, cell, errors) => {
    const at = (player: string) => `${near},acme:main,${player},EUR,true`;
    const text = [header, at(`1${name}`), at(cell()), at(`3${name}`)].join('\r\n');
    expect((await csv(Buffer.from(text, 'latin1'))).json).toEqual({ errors });
    expect([`1${name}`, `3${name}`, 'nobody'].map((player) => isIn(player))).toEqual([true, true, false]);
  });

  it.each([
    [
      'a quote that is not closed',
      () => `${header}\n${row()}\n${near},acme:main,"nobody,EUR,true\n${row()}\n`,
    ],
    ['UTF-16 without a mark', () => Buffer.from(`${header}\n${row()}\n`, 'utf16le')],
    [
      'what begins as UTF-16 and is not',
      () => Buffer.concat([Buffer.from(`\ufeff${header}\n${row()}\n`, 'utf16le'), Buffer.from([0x00, 0xd8])]),
    ],
    ['another header', () => `instance_id,brand_id,player_id,opt_in,currency\n${row()}\n`],
    ['no header', () => `${row()}\n`],
    ['a line without an end', () => `${header}\n${row()}\n${'x'.repeat(1_100_000)}\n`],
    ['other separators', () => `${header.replaceAll(',', '|')}\n${row()}\n`],
  ])('with %s is csv_invalid, and no row is done', async (_, text) => {
    const before = world.commands.length;
    const answer = await csv(text());
    expect([answer.status, answer.json.code]).toEqual([400, 'csv_invalid']);
    expect(world.commands.length).toBe(before);
    expect(isIn('nobody')).toBe(false);
  });

  it('with nothing in it is csv_invalid, too', async () => {
    expect((await csv('\n')).json.code).toBe('csv_invalid');
    expect((await csv('')).json.code).toBe('csv_invalid');
    const none = await csv('', 'text/csv; charset=utf-8; header=present');
    expect([none.status, none.json.code]).toEqual([400, 'csv_invalid']);
  });

  it('of 50,000 rows is taken in parts, of 50,001 refused as a whole', async () => {
    const before = world.commands.length;
    const many = await csv(`${header}\n${rowsOf(50_001, 'm')}\n`);
    expect([many.status, many.json.code]).toEqual([413, 'payload_too_large']);
    expect(world.commands.length).toBe(before);

    const answer = await csv(`${header}\n${rowsOf(50_000, 'm')}`);
    expect([answer.status, answer.json]).toEqual([200, { errors: {} }]);
    const sent = bulkCommands().slice(-200);
    expect(sent.every(({ rows }) => rows.length <= 250)).toBe(true);
    const lane = world.lanes[world.readModel.known(near)!.lane]!;
    expect(lane.optInStatus(near, 'acme:main', 'm0')?.optedIn).toBe(true);
    expect(lane.optInStatus(near, 'acme:main', 'm49999')?.optedIn).toBe(true);
    // No step is left to the lane's owner: each command did all that it brought.
    expect(lane.jobs()).toEqual([]);
  });

  it('above 5 MiB is 413', async () => {
    const answer = await csv(`${header}\n${' '.repeat(5 * 1024 * 1024)}`);
    expect([answer.status, answer.json.code]).toEqual([413, 'payload_too_large']);
  });

  it('is no type of another operation', async () => {
    const answer = await fetch(`http://127.0.0.1:${world.port}/config/operators`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${await world.token()}` },
      body: header,
    });
    expect(answer.status).toBe(415);
    expect((await csv(header, 'text/plain')).status).toBe(415);
    expect((await csv(header, 'text/csv; charset=latin1')).status).toBe(415);
  });

  it('that is cut in the middle does nothing, and is sent again as a whole', async () => {
    const text = `${header}\n${rowsOf(2_000, 'cut')}\n`;
    const before = world.commands.length;
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await world.token()}\r\nContent-Type: text/csv\r\nContent-Length: ${text.length}\r\n\r\n`;
    await new Promise<void>((resolve) => {
      const socket = connect(world.port, '127.0.0.1', () => {
        socket.write(head + text.slice(0, text.length / 2), () => socket.end());
      });
      socket
        .on('close', () => resolve())
        .on('error', () => {})
        .resume();
    });
    expect(world.commands.length).toBe(before);
    const again = await csv(text);
    expect(again.json).toEqual({ errors: {} });
    expect([isIn('cut0'), isIn('cut1999')]).toEqual([true, true]);
    const sums = () => world.lanes[world.readModel.known(near)!.lane]!.optIns(near, true, 0, 500_000)!.length;
    const count = sums();
    expect((await csv(text)).json).toEqual({ errors: {} });
    expect(sums()).toBe(count);
  });
});

describe('who may opt in many players', () => {
  it('is who may opt in one, for the owners of instance and brand', async () => {
    const text = `${header}\n${near},acme:main,zoe,EUR,true\n${near},acme:vip,zoe,EUR,true\n`;
    for (const role of ['viewer', 'finance', 'security', 'auditor'] as const)
      expect((await csv(text, 'text/csv', await world.token([role]))).json.code).toBe('forbidden');
    // Syntax comes before the role.
    const broken = await csv(`${text}"`, 'text/csv', await world.token(['viewer']));
    expect(broken.json.code).toBe('csv_invalid');
    const rival = await csv(text, 'text/csv', await world.token(['support'], ['rival']));
    expect(rival.json.errors).toEqual({ 1: 'instance_not_found', 2: 'instance_not_found' });
    expect(isIn('zoe')).toBe(false);
    expect((await csv(text, 'text/csv', await world.token(['support'], ['acme']))).json.errors).toEqual({});
    expect(isIn('zoe')).toBe(true);
  });
});

it('uploads of several administrators send a lane one command at a time', async () => {
  let underWay = 0;
  let most = 0;
  outage = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  };
  const uploads = ['one-', 'two-', 'three-'].map((prefix) => csv(`${header}\n${rowsOf(750, prefix)}\n`));
  const answers = await Promise.all(uploads);
  outage = null;
  expect(answers.map(({ json: { errors } }) => errors)).toEqual([{}, {}, {}]);
  expect(most).toBe(1);
});

describe('a lane that does not work', () => {
  const both = (name: string) =>
    `${header}\n${near},acme:main,${name},EUR,true\n${far},acme:main,${name},EUR,true\n`;
  const only = (instance: string, refuse: () => never) => (command: BulkOptIn) => {
    if (command.rows[0]?.instance === instance) refuse();
  };

  it.each(['instance_unavailable', 'storage_unavailable', 'outcome_unknown'] as const)(
    'gives its rows an error (%s), and the others are done',
    async (code) => {
      outage = only(near, () => {
        throw new PublicError(code);
      });
      const answer = await csv(both(`p-${code}`));
      outage = null;
      expect(answer).toMatchObject({ status: 200, json: { errors: { 1: code } } });
      expect(Object.keys(answer.json.errors)).toEqual(['1']);
      expect(isIn(`p-${code}`, far)).toBe(true);
      expect(isIn(`p-${code}`)).toBe(false);
    },
  );

  it('is asked no more once it has stopped', async () => {
    const before = bulkCommands().length;
    let asked = 0;
    outage = () => {
      asked += 1;
      throw new PublicError('instance_unavailable');
    };
    const answer = await csv(`${header}\n${rowsOf(1_000, 's')}\n`);
    outage = null;
    expect(Object.keys(answer.json.errors)).toHaveLength(1_000);
    expect([asked, bulkCommands().length]).toEqual([1, before]);
  });

  it('that is only busy is asked again', async () => {
    let refusals = 2;
    outage = () => {
      refusals -= 1;
      if (refusals >= 0) throw new PublicError('overloaded');
    };
    const answer = await csv(both('patient'));
    outage = null;
    expect(answer.json.errors).toEqual({});
    expect(isIn('patient')).toBe(true);
  });
});
