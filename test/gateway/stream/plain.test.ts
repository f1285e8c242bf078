import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServicePrincipal } from '../../../src/access/rights/principal.ts';
import type { Draft } from '../../../src/gateway/api/contribution/contribute.ts';
import type { AnswerForm } from '../../../src/gateway/api/contribution/reply.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import { parseBody } from '../../../src/gateway/base/json-body.ts';
import { generalDraft } from '../../../src/gateway/stream/ndjson-reader.ts';
import { plainLine } from '../../../src/gateway/stream/plain/contribution.ts';
import { readPlainJson } from '../../../src/gateway/stream/plain/json.ts';
import { refOf } from '../../../src/gateway/stream/ref.ts';
import { type Line, line } from './stream-client.ts';

const caller: ServicePrincipal = {
  kind: 'service',
  subject: 'acme',
  operator: 'acme',
  brands: null,
  tokenId: 't',
  expiresAtMs: Number.MAX_SAFE_INTEGER,
};
const form = {} as AnswerForm<string>;

/** What a way of reading makes of a contribution: a draft with its ref, or the code of an error. */
function outcomeOf(read: () => { readonly ref: unknown; readonly draft: Draft<string> }): unknown {
  try {
    const { ref, draft } = read();
    // Written out in both.
    const request = { ...draft.request, metadata: null, eventMetadata: null };
    return { ref, draft: { ...draft, request } };
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    return error.code;
  }
}

const plainly = () => outcomeOf(() => ({ ref: plainLine.ref, draft: plainLine.draft(caller, form) }));

const generally = (bytes: Buffer) =>
  outcomeOf(() => {
    const body = parseBody(bytes);
    return { ref: refOf(body), draft: generalDraft(body, caller, form) };
  });

const bytesOf = (of: Line) => Buffer.from(JSON.stringify(of));

const often = <T>(usual: fc.Arbitrary<T>, ...rest: readonly unknown[]) =>
  fc.oneof(
    { weight: 60, arbitrary: usual as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.constantFrom(...rest) },
  );
const id = often(
  fc.stringMatching(/^[ !#-[\]-~]{1,20}$/),
  'ü',
  '',
  'x'.repeat(70),
  'x'.repeat(129),
  'a\u0007',
  null,
  7,
);
const ownId = often(fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/), 'no id', 'x'.repeat(65), '', 'é', 1);
const amount = often(
  fc.oneof(
    fc.nat(),
    fc.double({ min: 0, max: 1e12, noNaN: true }),
    fc.nat({ max: 1e9 }).map((atoms) => atoms / 1e8),
    fc.stringMatching(/^(0|[1-9][0-9]{0,12})(\.[0-9]{1,9})?$/),
  ),
  '1e5',
  -1,
  '01',
  '1.',
  '.5',
  null,
  1e300,
);
const metadata = often(fc.jsonValue({ maxDepth: 3 }), undefined, null, 'x'.repeat(9_000), {
  a: 0.1234567890123456,
});

const lines = fc
  .record(
    {
      ref: often(
        fc.oneof(fc.nat(), fc.stringMatching(/^[ !#-[\]-~]{1,20}$/)),
        '',
        'ü',
        -1,
        1.5,
        null,
        2 ** 53,
        2 ** 40,
      ),
      target: fc.record({ type: often(fc.constantFrom('instance', 'source'), 'x'), id: fc.oneof(ownId, id) }),
      source: fc.record({
        type: often(fc.constantFrom('gameround', 'bet', 'deposit', 'other'), 'x', 'source'),
        id,
      }),
      operator_id: often(fc.constant('acme'), 'rival', 'no id', ''),
      player: fc.record(
        {
          id,
          token: often(fc.constantFrom('session', 'other'), 'a"b', 'é\\', 't'.repeat(200), ''),
          country: often(fc.constantFrom('DE', 'US-NJ', 'Germany'), '', 'x'.repeat(65)),
          brand_id: often(fc.constantFrom('main', 'acme:main', 'rival:x'), 'a:b:c', 'ü', ''),
          segments: often(fc.constant(undefined), null, [], ['a']),
        },
        { requiredKeys: ['id', 'token', 'country', 'brand_id'] },
      ),
      base_wager: fc.record({
        currency: often(fc.constantFrom('EUR', 'USD'), '', 'x'.repeat(17)),
        value: amount,
      }),
      metadata,
      event_metadata: metadata,
      options: often(
        fc.record(
          {
            idempotency_key: often(fc.uuid(), 'k'.repeat(255), 'k'.repeat(256), '', null),
            allow_linked_contributions: often(fc.boolean(), null),
            vertical_id: id,
            game_code: id,
            game_category: id,
          },
          { requiredKeys: [] },
        ),
        {},
        undefined,
        null,
      ),
    },
    { requiredKeys: ['ref', 'target', 'source', 'operator_id', 'player', 'base_wager'] },
  )
  .map((each) => each as Line);

describe('a plain contribution', () => {
  const around = (bytes: Buffer) => {
    const neighbour = bytesOf(line('neighbour'));
    return { all: Buffer.concat([neighbour, bytes, neighbour]), from: neighbour.length };
  };

  it('is read as the general reader reads it, or not at all', () => {
    let plainlyRead = 0;
    fc.assert(
      fc.property(lines, (each) => {
        const bytes = bytesOf(each);
        const { all, from } = around(bytes);
        if (!readPlainJson(all, from, from + bytes.length)) return;
        plainlyRead += 1;
        expect(plainly()).toEqual(generally(bytes));
      }),
      { numRuns: 3_000 },
    );
    expect(plainlyRead).toBeGreaterThan(100);
  });

  it('whose bytes are cut or changed is read as the general reader reads it, or not at all', () => {
    const change = fc.record({ at: fc.nat(), to: fc.integer({ min: 0, max: 255 }), cut: fc.boolean() });
    fc.assert(
      fc.property(lines, fc.array(change, { minLength: 1, maxLength: 3 }), (each, changes) => {
        let bytes = bytesOf(each);
        for (const { at, to, cut } of changes) {
          if (cut) bytes = bytes.subarray(0, at % (bytes.length + 1));
          else if (bytes.length > 0) bytes[at % bytes.length] = to;
        }
        const { all, from } = around(bytes);
        if (readPlainJson(all, from, from + bytes.length)) expect(plainly()).toEqual(generally(bytes));
      }),
      { numRuns: 6_000 },
    );
  });

  it.each([
    ['the least', {}],
    ['a key', { options: { idempotency_key: 'k' } }],
    ['metadata', { metadata: { table: 'seven', seats: [1, 2] }, event_metadata: 'x' }],
    ['an amount as text', { base_wager: { currency: 'EUR', value: '12.50' } }],
    ['an amount as a decimal', { base_wager: { currency: 'EUR', value: 0.1 } }],
    ['a number as ref', { ref: 123_456 }],
    ['a source', { target: { type: 'source', id: 'slot-1' } }],
    ['a bet', { source: { type: 'bet', id: 'b' } }],
    ['links', { options: { idempotency_key: 'k', allow_linked_contributions: true } }],
    ['a long session', { player: { id: 'p', token: 't'.repeat(500), country: 'DE', brand_id: 'main' } }],
  ])('is not left to the general reader: %s', (_, changes) => {
    const bytes = bytesOf(line('a', changes));
    expect(readPlainJson(bytes, 0, bytes.length)).toBe(true);
    expect(plainly()).toEqual(generally(bytes));
  });

  it('may have spaces', () => {
    const bytes = Buffer.from(`${JSON.stringify(line('a'), null, 1).replaceAll('\n', '')} \r`);
    expect(readPlainJson(bytes, 0, bytes.length)).toBe(true);
  });
});
