import fc from 'fast-check';
import type { Document, Parameter, Target } from './document.ts';
import { type Known, valuesOf } from './values.ts';

export type Kind = 'valid' | 'one fault' | 'wild';

/** A request as it goes out. */
export interface FuzzRequest {
  readonly kind: Kind;
  readonly method: string;
  readonly url: string;
  readonly credential: Target['credential'] | 'foreign' | 'broken';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

interface Parts {
  readonly target: Target;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const oddTexts = [
  '',
  ' ',
  '..',
  '%',
  '\u0000',
  '\u202e',
  '𝕡'.repeat(40),
  'a'.repeat(300),
  '-1',
  '1e9',
  'NaN',
  "' OR 1=1",
  '__proto__',
  'null',
];
const oddValues: readonly unknown[] = [
  null,
  true,
  [],
  {},
  '',
  'x'.repeat(300),
  -1,
  1.5,
  1e300,
  '1e5',
  '0x10',
  [null],
  { $ref: '#' },
];
/** Where a number goes, as bytes that JSON.stringify never writes. */
const oddNumbers = ['-0', '1e400', '12345678901234567890', '0.1234567890123456789', '01', '+1', '.5', 'NaN'];

/** Requests of the document's operations: most with one fault, some as documented, some that nobody documented. */
export function requestsOf(
  document: Document,
  targets: readonly Target[],
  known: Known,
): fc.Arbitrary<FuzzRequest> {
  const perTarget = targets.map((target) => ({
    arbitrary: partsOf(document, target, known),
    weight: hashesPassword(document, target) ? 1 : 4,
  }));
  const anyParts = fc.oneof(...perTarget);
  return fc.oneof(
    { weight: 4, arbitrary: anyParts.map(valid) },
    { weight: 5, arbitrary: anyParts.chain(faulty) },
    { weight: 1, arbitrary: wild(targets) },
  );
}

/** A password takes the server as long as fifty other requests. */
function hashesPassword(document: Document, { body }: Target): boolean {
  const name = body?.$ref?.split('/').at(-1) ?? '';
  const schema = document.components.schemas?.[name] ?? body;
  return Object.keys(schema?.properties ?? {}).some((member) => /password$/.test(member));
}

function partsOf(document: Document, target: Target, known: Known): fc.Arbitrary<Parts> {
  const inputs = (place: Parameter['in']) => {
    const own = target.parameters.filter((parameter) => parameter.in === place);
    const members = Object.fromEntries(
      own.map(({ name, schema }) => [name, valuesOf(document, schema, known, name)]),
    );
    const requiredKeys = own.filter(({ required }) => required === true).map(({ name }) => name);
    return fc.record(members, { requiredKeys }) as fc.Arbitrary<Record<string, unknown>>;
  };
  return fc.record({
    target: fc.constant(target),
    path: inputs('path'),
    query: inputs('query'),
    headers: inputs('header').map((values) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, String(value).replace(/[^\x20-\x7e]/g, '')]),
      ),
    ),
    body: target.body === null ? fc.constant(undefined) : valuesOf(document, target.body, known),
  });
}

function valid(parts: Parts): FuzzRequest {
  return requestOf('valid', parts, parts.body === undefined ? null : JSON.stringify(parts.body));
}

/** The same with one thing wrong. What is wrong is not always refused: some faults are harmless. */
function faulty(parts: Parts): fc.Arbitrary<FuzzRequest> {
  const whole = valid(parts);
  const faults: fc.Arbitrary<FuzzRequest>[] = [
    fc
      .constantFrom<FuzzRequest['credential']>('none', 'foreign', 'broken')
      .map((credential) => ({ ...whole, credential })),
    fc.constantFrom('unknown=1', 'page=-1', 'limit=0', 'limit=%zz', 'sort_direction=0').map((more) => ({
      ...whole,
      url: `${whole.url}${whole.url.includes('?') ? '&' : '?'}${more}`,
    })),
  ];
  const inputs = Object.keys(parts.path);
  if (inputs.length > 0)
    faults.push(
      fc
        .tuple(fc.constantFrom(...inputs), fc.constantFrom(...oddTexts))
        .map(([name, text]) =>
          requestOf('one fault', { ...parts, path: { ...parts.path, [name]: text } }, whole.body),
        ),
    );
  if (whole.body !== null) {
    const body = whole.body;
    const withBody = (text: string): FuzzRequest => ({ ...whole, body: text });
    faults.push(
      fc.integer({ min: 0, max: body.length }).map((at) => withBody(body.slice(0, at))),
      fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=latin1').map((type) => ({
        ...whole,
        headers: { ...whole.headers, 'content-type': type },
      })),
      fc
        .constantFrom(
          '[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]',
          '{"__proto__":{}}',
          '{"a":1,"a":2}',
          '"\ud800"',
          'nul',
          '',
          '{}',
          '[]',
        )
        .map(withBody),
    );
    const places = placesOf(parts.body);
    if (places.length > 0)
      faults.push(
        fc
          .tuple(fc.constantFrom(...places), fc.constantFrom(...oddValues))
          .map(([place, value]) => withBody(JSON.stringify(replaced(parts.body, place, value)))),
        fc
          .tuple(fc.constantFrom(...places), fc.constantFrom(...oddNumbers))
          .map(([place, number]) =>
            withBody(
              JSON.stringify(replaced(parts.body, place, '@number@')).replaceAll('"@number@"', number),
            ),
          ),
        fc
          .constantFrom(...places)
          .map((place) => withBody(JSON.stringify(replaced(parts.body, place, undefined)))),
      );
    if (typeof parts.body === 'object' && parts.body !== null && !Array.isArray(parts.body))
      faults.push(fc.constant(withBody(JSON.stringify({ ...parts.body, idempotencykey: 'misspelt' }))));
  }
  return fc.oneof(...faults).map((request) => ({ ...request, kind: 'one fault' as const }));
}

function wild(targets: readonly Target[]): fc.Arbitrary<FuzzRequest> {
  const segment = fc.oneof(
    fc.constantFrom(...new Set(targets.flatMap(({ path }) => path.split('/').filter((part) => part !== '')))),
    fc.constantFrom(...oddTexts),
    fc.string({ maxLength: 12 }),
  );
  return fc.record({
    kind: fc.constant('wild' as const),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'),
    url: fc
      .array(segment, { maxLength: 7 })
      .map((parts) => `/${parts.map(encodeURIComponentSafely).join('/')}`),
    credential: fc.constantFrom('administrator', 'service', 'none', 'foreign', 'broken'),
    headers: fc.constantFrom<Record<string, string>>(
      {},
      { 'content-type': 'application/json' },
      { 'content-type': 'text/csv' },
      { accept: 'text/html' },
    ),
    body: fc.oneof(fc.constant(null), fc.json(), fc.string({ maxLength: 200 })),
  });
}

function requestOf(
  kind: Kind,
  { target, path, query, headers, body }: Parts,
  text: string | null,
): FuzzRequest {
  const filled = target.path.replace(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponentSafely(path[name]),
  );
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    asked.append(name, Array.isArray(value) ? value.join(',') : String(value));
  const search = asked.toString();
  return {
    kind,
    method: target.method,
    url: search === '' ? filled : `${filled}?${search}`,
    credential: target.credential,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body: text,
  };
}

/** Paths to everything inside a body. */
function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  const inside = Array.isArray(value)
    ? value.flatMap((item, index) => placesOf(item, [...path, index]))
    : Object.entries(value).flatMap(([key, item]) => placesOf(item, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}

function replaced(value: unknown, [first, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (index === first ? replaced(item, rest, by) : item));
  const members = value as Record<string, unknown>;
  return { ...members, [first]: replaced(members[first as string], rest, by) };
}

function encodeURIComponentSafely(value: unknown): string {
  return encodeURIComponent(String(value).replace(/[\ud800-\udfff]/g, ''));
}
