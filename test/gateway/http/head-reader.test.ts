import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHead } from '../../../src/gateway/http/fast-path/head.ts';
import { HeadReader } from '../../../src/gateway/http/fast-path/head-reader.ts';
import { pathMatcher } from '../../../src/gateway/http/fast-path/path-matcher.ts';
import type { FastPathRoute } from '../../../src/gateway/http/fast-path/route.ts';

const contribute = route('POST', '/v1/jackpot/instances/{id}/contributions', 4096);
const lookUp = route('GET', '/v1/jackpot/instances/{id}/contributions/{key}', 0);
const withBody = route('POST', '/v1/other/{id}', 100);
const routes = [contribute, lookUp, withBody];

const targets = [
  '/v1/jackpot/instances/a/contributions',
  '/v1/jackpot/instances/b-2/contributions',
  '/v1/jackpot/instances/a/contributions/k',
  '/v1/other/a',
  '/v1/elsewhere',
  '/v1/jackpot/instances/a/contributions?x=1',
  '/v1/jackpot/instances/a b/contributions',
];
const lengths = [
  '1',
  '9',
  '42',
  '100',
  '101',
  '4096',
  '4097',
  '0',
  '007',
  '12345678',
  '',
  '1e2',
  '-1',
  '5 ',
  '٣',
];
const others = [
  'Host: localhost',
  'host: localhost',
  'Content-Type: application/json',
  'Content-Type: text/plain',
  'Connection: keep-alive',
  'Connection: close',
  'Content-Lengths: 3',
  'X-Content-Length: 7',
  'X: content-length: 7',
  `X-Long: ${'x'.repeat(8_000)}`,
];

const field = fc.oneof(
  fc.constantFrom(...others),
  fc
    .tuple(fc.constantFrom('Content-Length:', 'content-length: '), fc.constantFrom(...lengths))
    .map((pair) => pair.join('')),
);
/** Mostly what a client would send, so that heads are taken and one is like the last. */
const plainFields = fc
  .oneof(fc.constantFrom('1', '9', '42', '100', '4096'), fc.constantFrom(...lengths))
  .map((length) => ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${length}`]);
const head = fc
  .record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT'),
    target: fc.oneof(fc.constantFrom(...targets.slice(0, 2)), fc.constantFrom(...targets)),
    fields: fc.oneof(
      { weight: 3, arbitrary: plainFields },
      { weight: 1, arbitrary: fc.constant(['Host: localhost']) },
      { weight: 1, arbitrary: fc.array(field, { maxLength: 5 }) },
    ),
    end: fc.oneof(
      fc.constant('\r\n\r\n'),
      fc.constantFrom('\r\n\r\n{"a":1}', '\r\n', '\n\n', '\r\n\r\n\r\n\r\n'),
    ),
  })
  .map(({ method, target, fields, end }) => `${method} ${target} HTTP/1.1\r\n${fields.join('\r\n')}${end}`);

describe('heads of a connection', () => {
  it('given any heads before, when the next is read, then it says what it says alone', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(head, { minLength: 2, maxLength: 8 }), (texts) => {
        const reader = new HeadReader(routes);
        for (const text of texts) {
          const chunk = Buffer.from(text, 'utf8');
          const end = chunk.indexOf('\r\n\r\n');
          const isWhole = end >= 0 && end <= 8 * 1024;
          const alone = isWhole ? readHead(chunk.toString('latin1', 0, end), routes) : null;
          expect(reader.read(chunk)).toEqual(alone);
          expect(reader.length).toBe(isWhole ? end + 4 : 0);
          if (alone !== null) taken += 1;
        }
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(1_000);
  });

  it('given another target and length, when it is read, then the other fields are not read again', () => {
    const reader = new HeadReader(routes);
    const [first, second] = [
      ['a', '9'],
      ['b-2', '1234'],
    ].map(([id, length]) =>
      reader.read(
        Buffer.from(
          `POST /v1/jackpot/instances/${id}/contributions HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n` +
            'Content-Type: application/json\r\n\r\n',
        ),
      ),
    );
    expect(second).toMatchObject({ inputs: { id: 'b-2' }, bodyBytes: 1234 });
    expect(second?.headers).toBe(first?.headers);
  });
});

function route(method: 'GET' | 'POST', pattern: string, maxBytes: number): FastPathRoute {
  return {
    kind: 'contribution',
    operation: { id: 'O8', method, path: pattern },
    method,
    maxBytes,
    guarded: false,
    answersPages: method === 'GET',
    match: pathMatcher(pattern),
    pathInputs: () => ({}),
    begin: () => undefined,
  };
}
