import { describe, expect, it } from 'vitest';
import {
  decodeResult,
  emptyFrame,
  encodeContribution,
  FrameCutter,
  type FramedContribution,
  JsonText,
} from '../../sdk/src/index.ts';
import { FrameWriter } from '../../src/gateway/contribution-stream/frame-writer.ts';
import { PublicError } from '../../src/gateway/errors.ts';
import { framesForm } from '../gateway/contribution-stream/forms.ts';

const contribution: FramedContribution = {
  ref: 'r-1',
  target: { type: 'source', id: 'slot-1' },
  source: { type: 'gameround', id: 'round-1' },
  operator_id: 'demo',
  player: { id: 'ada', token: 'session', country: 'DE', brand_id: 'direct' },
  base_wager: { value: '1.00', currency: 'EUR' },
};

describe('a contribution as a frame of the SDK', () => {
  it.each<[string, Partial<FramedContribution>]>([
    ['the least', {}],
    ['a key', { options: { idempotency_key: 'key' } }],
    ['a number as ref and as amount', { ref: 2 ** 40, base_wager: { value: '0.25', currency: 'EUR' } }],
    ['metadata', { metadata: { table: [7, null] }, event_metadata: 'é' }],
    ['a bet of an instance', { source: { type: 'bet', id: 'b' }, target: { type: 'instance', id: 'gold' } }],
    ['segments', { player: { ...contribution.player, segments: ['a', 'b'] } }],
    [
      'all options',
      {
        options: {
          vertical_id: 'v',
          game_code: 'g',
          game_category: 'c',
          allow_linked_contributions: true,
          callback: { web_hook: 'https://a.example/hook', win_result_only: true },
          idempotency_key: 'k',
          bonus: { bonus_id: 'b', amount: '0.5', currency: 'EUR' },
        },
      },
    ],
  ])('is what a client of the page writes: %s', (_, changes) => {
    const of = { ...contribution, ...changes };
    expect(Buffer.from(encodeContribution(of))).toEqual(framesForm.write([of]));
  });

  it('may have metadata that is JSON already', () => {
    const metadata = new JsonText('{"id":12345678901234567890}');
    const [sent, plain] = [metadata, { id: 1 }].map((each) =>
      Buffer.from(encodeContribution({ ...contribution, metadata: each })).toString('latin1'),
    );
    expect(sent).toContain(metadata.text);
    expect(plain).toContain('{"id":1}');
  });

  it('of nothing keeps a stream open', () => {
    expect(Buffer.from(emptyFrame())).toEqual(framesForm.blank);
  });
});

describe('the answer of the gateway', () => {
  const id = new Uint8Array(16).map((_, index) => index);
  const writer = new FrameWriter();
  const command = { contributionId: id } as never;
  const result = {
    instance: 'gold',
    sequence: 1,
    contributionAtoms: 1n,
    requestAtoms: 9_007_199_254_740_993n,
    bonusAtoms: 0n,
    win: null,
    tickets: 300,
  };
  const win = { pot: 'mini', amountAtoms: 9n * 10n ** 18n, currency: 'EUR', withheld: true } as never;
  const earlier = { timestampMs: 1_700_000_000_100 };
  const applied = {
    results: [
      { ...result, ...earlier },
      { ...result, win },
      { ...result, win, ...earlier },
    ],
    command,
    timestampMs: 1_700_000_000_123,
    metadata: null,
  };
  writer.result('r-1', writer.form.contributed(applied, {} as never));
  writer.result(2 ** 40, writer.form.repeated({ ...applied, results: Array(17).fill(result) }, {} as never));
  writer.result('ü', writer.form.accepted(command, 7, true));
  writer.error(null, 70_000, new PublicError('invalid_request', 'ü'.repeat(300)));
  writer.last(3, new PublicError('shutting_down'));
  const bytes = writer.take()!;
  const first = {
    instance_id: 'gold',
    timestamp: 1_700_000_000_123,
    contribution_amount: '90071992.54740993',
    bonus_amount_used: '0',
    tickets_awarded: 300,
    win: null,
  };
  const won = { ...first, win: { amount: '90000000000', pot_id: 'mini', withheld: true } };
  const frames = [
    {
      kind: 'applied',
      ref: 'r-1',
      timestamp: 1_700_000_000_100,
      replayed: false,
      results: [{ ...first, timestamp: 1_700_000_000_100 }, won, { ...won, timestamp: 1_700_000_000_100 }],
    },
    {
      kind: 'applied',
      ref: 2 ** 40,
      timestamp: 1_700_000_000_123,
      replayed: true,
      results: Array(17).fill(first),
    },
    {
      kind: 'accepted',
      ref: 'ü',
      timestamp: 7,
      replayed: true,
      contribution_id: '00010203-0405-0607-0809-0a0b0c0d0e0f',
    },
    {
      kind: 'refused',
      ref: null,
      frame: 70_000,
      error: { status_code: 400, code: 'invalid_request', message: 'ü'.repeat(300), retry_after: null },
    },
    { kind: 'last', frame: 3, error: { status_code: 503, code: 'shutting_down', retry_after: 1 } },
  ];

  it.each([1, 2, 5, 64, 100_000])('is read however it comes: %i bytes at a time', (size) => {
    const cutter = new FrameCutter();
    const read = [];
    for (let at = 0; at < bytes.length; at += size)
      for (const value of cutter.push(bytes.subarray(at, at + size))) read.push(decodeResult(value));
    expect(read).toMatchObject(frames);
    expect(read).toHaveLength(frames.length);
  });

  it('of a kind that is not known is refused', () => {
    expect(() => decodeResult(Uint8Array.of(0x91, 0x09))).toThrow('not known');
    expect(writer.take()).toBeNull();
  });
});
