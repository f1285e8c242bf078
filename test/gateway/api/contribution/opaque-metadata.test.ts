import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Contribute } from '../../../../src/messages/player-commands.ts';
import { StreamClient } from '../../stream/stream-client.ts';
import { createInstance, furnish, startWorld, type World } from '../../support/administration.ts';

const origin = 'http://127.0.0.1:9099';
let world: World;
let instance = '';
let service = '';

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world);
  await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
  const source = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  await world.call('POST', '/config/sources/assign', source);
  await world.call('POST', '/config/webhook-origins', { operator_id: 'acme', origin });
  service = await world.serviceToken('acme');
});
afterAll(() => world.stop());

const written =
  '{ "id" : 12345678901234567890, "pi":0.1234567890123456, "one":1.0,\t"far":[1e400,-0,1e-400], "text":"\\u00e9 \\ud800 \\" , é" }';
const kept =
  '{"id":12345678901234567890,"pi":0.1234567890123456,"one":1.0,"far":[1e400,-0,1e-400],"text":"\\u00e9 \\ud800 \\" , é"}';
const eventWritten = ' 9007199254740993 ';
const eventKept = '9007199254740993';
const metadata = `"metadata":${written},"event_metadata":${eventWritten}`;

const firstVersion = `"token":"session","brand_id":"acme:main","player_id":"ada","player_country":"DE","base_wager":0.30000000000000004,"currency":"EUR",${metadata}`;
const secondVersion = (own = '') =>
  `{${own}"target":{"type":"instance","id":"${instance}"},"source":{"type":"gameround","id":"r1"},"operator_id":"acme","player":{"id":"ada","token":"session","country":"DE","brand_id":"main"},"base_wager":{"currency":"EUR","value":0.30000000000000004},${metadata}}`;

const lastCommand = () => world.commands.findLast(({ kind }) => kind === 'Contribute') as Contribute;

it.each([
  ['O8', () => [`/v1/jackpot/instances/${instance}/contributions`, `{${firstVersion}}`, service]],
  ['O9', () => ['/v1/jackpot/sources/slot-1/contributions', `{${firstVersion}}`, service]],
  ['O16', () => ['/v2/jackpot/contributions', secondVersion(), service]],
  ['A35', () => [`/config/instances/${instance}/contributions`, `{${firstVersion}}`, undefined]],
  ['A36', () => ['/config/sources/slot-1/contributions', `{${firstVersion}}`, undefined]],
  [
    'A37',
    () => [
      '/config/providers/studio/contributions',
      `{"instance_id":"${instance}","game_code":"dragons",${firstVersion}}`,
      undefined,
    ],
  ],
] as const)('%s gives metadata back as they were written, and rounds its wager', async (_, request) => {
  const [path, body, token] = request() as [string, string, string | undefined];
  const answer = await world.call('POST', path, body, token === undefined ? {} : { token });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.text).toContain(`"metadata":${kept}}`);
  expect(lastCommand()).toMatchObject({ eventMetadata: eventKept, baseWagerAtoms: 30_000_000n });
});

it('a line of the stream does, plain or not', async () => {
  const client = new StreamClient(world.port, { token: service });
  client.end(`${secondVersion('"ref":1,')}\n${secondVersion('"ref":2,').replaceAll('é', 'e')}\n`);
  await client.results();
  expect(client.text).toContain(`"metadata":${kept}}`);
  expect(client.text).toContain(`"metadata":${kept.replaceAll('é', 'e')}}`);
  expect(lastCommand()).toMatchObject({ eventMetadata: eventKept, baseWagerAtoms: 30_000_000n });
});

it('a callback gets them as they were written', async () => {
  const body = `{"callback":{"web_hook":"${origin}/hook"},${firstVersion}}`;
  const path = `/v1/jackpot/instances/${instance}/contributions`;
  expect((await world.call('POST', path, body, { token: service })).status).toBe(200);
  expect(lastCommand()).toMatchObject({ metadata: kept, eventMetadata: eventKept });
});

it('the audit trail loses none of their digits, and hides none of their members', async () => {
  const body = `{${firstVersion.replace('"one":1.0', '"session_token":"hush"')}}`;
  await world.call('POST', `/config/instances/${instance}/contributions`, body);
  const trail = await world.call('GET', '/config/audit?operation=A35&limit=1');
  expect(trail.status).toBe(200);
  const { metadata, event_metadata } = trail.json[0].input.body;
  expect(event_metadata).toBe(eventKept);
  expect(metadata).toEqual({
    id: '12345678901234567890',
    pi: 0.1234567890123456,
    session_token: 'hush',
    far: ['1e400', '-0', '1e-400'],
    text: 'é \ud800 " , é',
  });
});

it.each([
  ['{"a":1,"a":2}', 'duplicate_json_key'],
  ['{"__proto__":1}', 'invalid_request'],
  ['{"a":01}', 'invalid_json'],
  ['{"a":1.}', 'invalid_json'],
  ['{"a":NaN}', 'invalid_json'],
  [`${'['.repeat(17)}${']'.repeat(17)}`, 'payload_too_deep'],
  [`"${'\\u00e9'.repeat(1_366)}"`, 'payload_too_large'],
  [`{${Array.from({ length: 257 }, (_, n) => `"${n}:":0`).join(',')}}`, 'invalid_request'],
])('but %s is refused', async (given, code) => {
  const body = secondVersion().replace(written, given);
  const answer = await world.call('POST', '/v2/jackpot/contributions', body, { token: service });
  expect(answer.json.code).toBe(code);
});
