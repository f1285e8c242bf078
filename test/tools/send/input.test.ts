import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonText } from '../../../sdk/src/index.ts';
import { firstPlace, type RecordPlace } from '../../../src/lib/csv/record-cutter.ts';
import { InputError, identityOf } from '../../../tools/input/records.ts';
import { type InputLine, keyPrefixOf, readContributions } from '../../../tools/send/contributions.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-send-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Choices {
  readonly format?: 'csv' | 'ndjson';
  readonly key?: string;
  readonly from?: RecordPlace;
}

async function read(
  content: string | Buffer,
  { format = 'csv', key, from }: Choices = {},
): Promise<InputLine[]> {
  const path = join(directory, 'input');
  writeFileSync(path, content);
  const choices = { path, format, key: key ?? null, keyPrefix: 'send-x-' };
  const lines: InputLine[] = [];
  for await (const line of readContributions(choices, from ?? firstPlace)) lines.push(line);
  return lines;
}

const faultOf = (line: InputLine | undefined) => (line !== undefined && 'fault' in line ? line.fault : null);
const contributionOf = (line: InputLine | undefined) =>
  line !== undefined && 'contribution' in line ? line.contribution : null;

describe('a CSV file', () => {
  it('names members by its columns', async () => {
    const lines = await read(
      'ref,target.type,target.id,player.id,player.segments,base_wager.value,options.allow_linked_contributions,options.callback.web_hook,metadata.table,options.idempotency_key\n' +
        'r-1,source,slot-1,ada,gold; new,1.10,true,https://a.example/hook,seven,key-1\n' +
        ',source,slot-1,"b,o""b",,2.00,,,,\n',
    );
    expect(lines).toMatchObject([
      { line: 2, ref: 'r-1', key: 'key-1' },
      { line: 3, ref: null, key: 'send-x-3' },
    ]);
    expect(contributionOf(lines[0])).toEqual({
      target: { type: 'source', id: 'slot-1' },
      player: { id: 'ada', segments: ['gold', 'new'] },
      base_wager: { value: '1.10' },
      options: {
        allow_linked_contributions: true,
        callback: { web_hook: 'https://a.example/hook' },
        idempotency_key: 'key-1',
      },
      metadata: { table: 'seven' },
    });
    expect(contributionOf(lines[1])).toEqual({
      target: { type: 'source', id: 'slot-1' },
      player: { id: 'b,o"b' },
      base_wager: { value: '2.00' },
      options: { idempotency_key: 'send-x-3' },
    });
  });

  it('may have amounts as spreadsheets write numbers', async () => {
    const rows = await read('base_wager.value,options.bonus.amount\n0.30000000000000004,0.00000001\n');
    expect(contributionOf(rows[0])).toMatchObject({
      base_wager: { value: 0.30000000000000004 },
      options: { bonus: { amount: '0.00000001' } },
    });
  });

  it('may have its keys in any column', async () => {
    const foreign = await read('transaction,player.id\nt-1,ada\n,bob\n', { key: 'transaction' });
    expect(foreign.map(({ key }) => key)).toEqual(['t-1', 'send-x-3']);
    expect(contributionOf(foreign[0])).toEqual({
      player: { id: 'ada' },
      options: { idempotency_key: 't-1' },
    });
    const member = await read('source.id,player.id\nround-1,ada\n', { key: 'source.id' });
    expect(contributionOf(member[0])).toMatchObject({ source: { id: 'round-1' } });
    expect(member[0]?.key).toBe('round-1');
    await expect(read('player.id\nada\n', { key: 'transaction' })).rejects.toThrow(InputError);
  });

  it('counts physical lines, and knows quotes with line feeds, blank lines, CRLF and a byte order mark', async () => {
    const lines = await read(
      '\uFEFFplayer.id,metadata.note\r\n\r\nada,"two\nlines"\r\n  \r\nbob,"x ""y"" z"\r\ncyd,last',
    );
    expect(lines.map(({ line }) => line)).toEqual([3, 6, 7]);
    expect(contributionOf(lines[0])).toMatchObject({ metadata: { note: 'two\nlines' } });
    expect(contributionOf(lines[1])).toMatchObject({ metadata: { note: 'x "y" z' } });
    expect(contributionOf(lines[2])).toMatchObject({ player: { id: 'cyd' }, metadata: { note: 'last' } });
  });

  it('has rows at fault, which are results of their own', async () => {
    const lines = await read(
      Buffer.concat([
        Buffer.from('player.id,options.allow_linked_contributions\nada,true\nbob\ncyd,maybe\ndan,fal"se"\n'),
        Buffer.from([0x65, 0xff, 0x2c, 0x0a]),
        Buffer.from('eve,false\n'),
      ]),
    );
    expect(lines.map((line) => faultOf(line)?.slice(0, 20) ?? null)).toEqual([
      null,
      'The row has 1 cells,',
      'options.allow_linked',
      'It is not CSV in UTF',
      'It is not CSV in UTF',
      null,
    ]);
  });

  it('has lines with an end of their own each', async () => {
    const lines = await read('player.id,ref\nada,1\r\nbob,2\rcyd,3\n"d\r\nan",4\r\n\r\neve,5');
    expect(lines.map(({ line, ref }) => [line, ref])).toEqual([
      [2, '1'],
      [3, '2'],
      [4, '3'],
      [5, '4'],
      [8, '5'],
    ]);
    expect(contributionOf(lines[3])?.player.id).toBe('d\r\nan');
    const old = await read('player.id,ref\rada,1\rbob,2\r');
    expect(old.map((line) => contributionOf(line)?.player.id)).toEqual(['ada', 'bob']);
  });

  it('says which lines a quote has hidden', async () => {
    const lines = await read('player.id,ref\n"ada,1\nbob,2\n"cyd,3\ndan,4\nno"te,5\neve,6\n');
    expect(lines.map(({ line }) => line)).toEqual([2, 5, 6, 7]);
    expect(faultOf(lines[0])).toBe('It is not CSV in UTF-8, and ends in line 4.');
    expect(faultOf(lines[2])).toBe('It is not CSV in UTF-8.');
  });

  it('may have a record that is too long', async () => {
    const [long, next] = await read(`metadata.note\n${'x'.repeat(70_000)}\ny\n`);
    expect(faultOf(long)).toBe('It is longer than 65536 bytes.');
    expect(contributionOf(next)).toMatchObject({ metadata: { note: 'y' } });
  });

  it.each([
    ['a column that is no member', 'player.id,player.name\nada,Ada\n', /player\.name/],
    ['a column that comes twice', 'player.id,player.id\nada,ada\n', /twice/],
    ['no header', '\n\n', /header/],
    ['a quote without an end', 'player.id\n"ada\nbob\n', /line 2/],
    ['a quote that makes a record too large', `player.id\n"ada\n${'bob\n'.repeat(20_000)}"\n`, /line 2/],
    ['the name of a prototype', 'metadata.__proto__\nx\n', /__proto__/],
  ])('is refused for %s', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(content)).rejects.toThrow(InputError);
  });
});

describe('a file of a spreadsheet', () => {
  it.each(['libreoffice-german', 'libreoffice-tabs', 'excel-german', 'google-german'])(
    'is read: %s',
    async (name) => {
      const lines = await read(readFileSync(`test/fixtures/spreadsheets/contributions-${name}.csv`));
      expect(lines.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
      expect(lines.slice(0, 2).map(contributionOf)).toMatchObject([
        {
          player: { id: '70123' },
          base_wager: { value: '1.5' },
          options: { allow_linked_contributions: true },
        },
        {
          player: { id: 'ann' },
          base_wager: { value: '1234.25' },
          options: { allow_linked_contributions: false },
        },
      ]);
      expect(lines.slice(2).map(faultOf)).toEqual([
        'source.id is not what it was: a spreadsheet has rounded it, or could not compute it.',
        'base_wager.value is no exact decimal: a spreadsheet has rounded it, or its comma may separate thousands.',
      ]);
    },
  );

  it('may be in UTF-16, and is read on from a place', async () => {
    const text = `\uFEFFref\tplayer.id\r\n${Array.from({ length: 40_000 }, (_, i) => `r-${i}\tÄnne ${i}\r\n`).join('')}`;
    const content = Buffer.from(text, 'utf16le');
    const lines = await read(content);
    expect(lines).toHaveLength(40_000);
    expect(contributionOf(lines.at(-1))?.player.id).toBe('Änne 39999');
    expect(await read(content, { from: lines[29_999]!.behind })).toEqual(lines.slice(30_000));
    await expect(read(content.subarray(0, -1))).rejects.toThrow(InputError);
  });

  it('never has its keys as a spreadsheet has rounded them', async () => {
    const lines = await read('tx,player.id,player.segments\n1.23457E+19,ada,\n2,bob,a;1.5E+15\n3,cyd,\n', {
      key: 'tx',
    });
    expect(lines.map((line) => faultOf(line)?.split(' ')[0] ?? null)).toEqual([
      'tx',
      'player.segments',
      null,
    ]);
  });
});

describe('an NDJSON file', () => {
  it('has bodies of O16', async () => {
    const lines = await read(
      '{"ref":7,"base_wager":{"value":12345678901.5,"currency":"EUR"},"options":{"idempotency_key":"k"}}\n\n{"player":{"id":"ada"}}\n',
      { format: 'ndjson' },
    );
    expect(lines).toMatchObject([
      { line: 1, ref: 7, key: 'k' },
      { line: 3, ref: null, key: 'send-x-3' },
    ]);
    expect(contributionOf(lines[0])).toEqual({
      base_wager: { value: 12345678901.5, currency: 'EUR' },
      options: { idempotency_key: 'k' },
    });
  });

  it('may have its keys in any member', async () => {
    const text = '{"source":{"id":"round-1"}}\n{"source":{"id":5}}\n{"source":"x"}\n';
    const lines = await read(text, { format: 'ndjson', key: 'source.id' });
    expect(lines.map(({ key }) => key)).toEqual(['round-1', '5', 'send-x-3']);
  });

  it('is sent with its numbers, and the metadata as it is written', async () => {
    const text =
      '{"ref":12345678901234567890,"base_wager":{"value":0.30000000000000004},"metadata":{"id": 9007199254740993, "x":[1.0,1e400]},"event_metadata":1.10}\n';
    const [line] = await read(text, { format: 'ndjson', key: 'metadata.id' });
    expect(line).toMatchObject({ ref: '12345678901234567890', key: '9007199254740993' });
    expect(contributionOf(line)).toEqual({
      base_wager: { value: 0.30000000000000004 },
      metadata: new JsonText('{"id":9007199254740993,"x":[1.0,1e400]}'),
      event_metadata: new JsonText('1.10'),
      options: { idempotency_key: '9007199254740993' },
    });
  });

  it('has lines at fault, which are results of their own', async () => {
    const content = `[1]\n{"ref":{}}\n{"options":7}\nx\n${' '.repeat(70_000)}{}\n{}`;
    const lines = await read(content, { format: 'ndjson' });
    expect(lines.map((line) => faultOf(line) === null)).toEqual([false, false, false, false, false, true]);
  });
});

describe('a line of NDJSON that JSON.parse forgives', () => {
  // It would be sent as something else than what the file says.
  it.each([
    ['{"base_wager":1,"base_wager":2}', 'duplicate_json_key'],
    ['{"base_wager":{"value":-0}}', 'invalid_request'],
    ['{"base_wager":{"value":1e400}}', 'amount_out_of_range'],
    ['{"__proto__":{}}', 'invalid_request'],
    [`{"metadata":${'['.repeat(17)}${']'.repeat(17)}}`, 'payload_too_deep'],
  ])('is refused: %s', async (text, code) => {
    const [line] = await read(text, { format: 'ndjson' });
    expect(faultOf(line)).toContain(code);
  });
});

describe('reading on from a place', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', '\n', ',', 'é', ' x'), maxLength: 8 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  it('gives the same lines as reading all', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        async (notes, separator) => {
          const rows = notes.map((note, index) => `p${index},${quoted(note)}`);
          const content = ['player.id,metadata.note', ...rows].join(separator);
          const all = await read(content);
          expect(all.map((line) => contributionOf(line)?.player.id)).toEqual(
            notes.map((_, index) => `p${index}`),
          );
          const cells = all.map(
            (line) => (contributionOf(line)?.metadata as { note?: string } | undefined)?.note ?? '',
          );
          expect(cells).toEqual(notes.map((note) => note));
          for (const [index, { behind, line, offset }] of all.entries()) {
            expect(await read(content, { from: behind })).toEqual(all.slice(index + 1));
            expect(await read(content, { from: { line, offset } })).toEqual(all.slice(index));
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('keys of lines without one', () => {
  it('are a function of the bytes of the file, the name of the batch and the line', async () => {
    const at = async (content: string, batch = '') => {
      const path = join(directory, 'input');
      writeFileSync(path, content);
      return keyPrefixOf((await identityOf(path)).sha256, batch);
    };
    const first = await at('a\n');
    expect(first).toMatch(/^send-[0-9a-f]{32}-$/);
    expect(await at('a\n')).toBe(first);
    expect(new Set([first, await at('b\n'), await at('a\n', 'again')]).size).toBe(3);
  });
});
