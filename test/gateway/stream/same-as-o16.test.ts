import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../support/administration.ts';
import { authenticated } from '../support/players.ts';
import { type ResultLine, StreamClient } from './stream-client.ts';

const origin = 'http://127.0.0.1:9099';
const nowMs = Date.now();

/** One gets its contributions as requests, one by one; the other gets the same as lines. */
let requested: Side;
let streamed: Side;

interface Side {
  readonly world: World;
  readonly token: string;
  readonly instance: string;
  readonly paused: string;
}

async function start(): Promise<Side> {
  const world = await startWorld({ nowMs: () => nowMs });
  await furnish(world);
  world.players.answer = ({ brand, token }) =>
    token === 'bad' ? { kind: 'refused' } : authenticated({ brand, player: 'ada', country: 'SE' });
  const must = async (method: string, path: string, body: unknown) => {
    const answer = await world.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  };
  const [instance, paused] = [await createInstance(world), await createInstance(world)];
  for (const id of [instance, paused])
    await must('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'go' });
  await must('POST', `/config/instances/${paused}/status`, { status: 'Paused', reason: 'rest' });
  await must('POST', '/config/sources/assign', {
    owner_id: 'acme',
    source_id: ['slot-1'],
    instance_id: instance,
  });
  await must('POST', '/config/webhook-origins', { operator_id: 'acme', origin });
  await must('PUT', '/config/operators/acme/brands/vip/wallet', {
    base_url: 'http://127.0.0.1:9',
    bearer_key: 'key',
    hmac_secret: 'a long enough secret',
    provider_id: 'potstream',
  });
  return { world, token: await world.serviceToken('acme'), instance, paused };
}

beforeAll(async () => {
  requested = await start();
  streamed = await start();
  expect(streamed.instance).toBe(requested.instance);
});
afterAll(async () => {
  for (const { world } of [requested, streamed]) await world.stop();
});

const often = <T>(usual: T, ...rest: T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...rest) });

const body = fc.record(
  {
    target: fc.constantFrom('instance', 'source', 'instance', 'paused', 'missing', 'no source', 'no id'),
    source: often<object>(
      { type: 'gameround', id: 'round' },
      { type: 'bet', id: 'b' },
      { type: 'x', id: 'y' },
    ),
    operator_id: often('acme', 'rival', 'nobody'),
    player: fc.record({
      id: fc.constantFrom('ada', 'bob', 'eve'),
      token: often('session', 'bad'),
      country: often('DE', 'US-NJ', 'Germany'),
      brand_id: often('acme:main', 'main', 'vip', 'rival:main', 'none'),
      segments: often<unknown>(undefined, ['a', 'b'], ['a', 1]),
    }),
    base_wager: fc.record({
      currency: often('EUR', 'USD', 'SEK', 'XXX'),
      value: often<unknown>(1, '2.50', 0, -1, '0.123456789', 1e13, 'one', null, '1e2'),
    }),
    metadata: often<unknown>(undefined, null, { a: [1, 'ü'] }, 'x'.repeat(9_000)),
    event_metadata: often<unknown>(undefined, { b: null }),
    options: often<unknown>(
      undefined,
      null,
      { idempotency_key: 'k-1' },
      { idempotency_key: 'k-2', allow_linked_contributions: true },
      { idempotency_key: 'k-3', callback: { web_hook: `${origin}/hook` } },
      { callback: { web_hook: 'http://127.0.0.1:1/other' } },
      { bonus: { bonus_id: 'b', amount: '0.5', currency: 'EUR' } },
      { vertical_id: 'slots', game_code: 'g', game_category: 'c' },
      { idempotency_key: '' },
      { idempotence_key: 'k' },
    ),
  },
  { requiredKeys: ['target', 'source', 'operator_id', 'player', 'base_wager'] },
);

const text = fc.oneof(
  { weight: 12, arbitrary: body.map((each) => JSON.stringify(withTarget(each))) },
  { weight: 1, arbitrary: fc.constantFrom('', '{', '[]', '7', '{"target":1}', '{"__proto__":{}}') },
);

function withTarget({ target, ...rest }: { readonly target: string }): object {
  const ids: Readonly<Record<string, object>> = {
    instance: { type: 'instance', id: '@instance' },
    paused: { type: 'instance', id: '@paused' },
    missing: { type: 'instance', id: 'missing' },
    source: { type: 'source', id: 'slot-1' },
    'no source': { type: 'source', id: 'slot-0' },
    'no id': { type: 'instance', id: 'no id' },
  };
  return { target: ids[target], ...rest };
}

const of = (side: Side, template: string) =>
  template.replaceAll('@instance', side.instance).replaceAll('@paused', side.paused);

/** What O16 says, as a line would. */
async function request(side: Side, template: string): Promise<unknown> {
  const { status, headers, json } = await side.world.call(
    'POST',
    '/v2/jackpot/contributions',
    of(side, template),
    { token: side.token },
  );
  const retryAfter = headers.get('retry-after');
  const more = retryAfter === null ? {} : { retry_after: Number(retryAfter) };
  if (status >= 300) return { error: json, ...more };
  const isRepeat = status === 204;
  if (headers.get('x-instance-id') === null)
    return {
      contribution_id: headers.get('x-contribution-id'),
      timestamp: Number(headers.get('x-timestamp')),
      ...(isRepeat ? { replayed: true } : {}),
    };
  const main = {
    instance_id: headers.get('x-instance-id'),
    timestamp: Number(headers.get('x-timestamp')),
    tickets_awarded: Number(headers.get('x-tickets-awarded')),
    win_amount: Number(headers.get('x-win-amount')),
    win_pot_id: headers.get('x-win-pot-id'),
  };
  return { main, ...(isRepeat ? { replayed: true } : { results: json }) };
}

/** The same of a line: what both say. */
function comparable({ ref: _, line: __, results, ...rest }: ResultLine): unknown {
  if (results === undefined || results.length === 0) return rest;
  const { instance_id, timestamp, tickets_awarded, win_amount, win_pot_id } = results[0];
  const main = { instance_id, timestamp, tickets_awarded, win_amount, win_pot_id };
  return { main, ...rest, ...(rest.replayed ? {} : { results }) };
}

/** A line is the body and its ref; what is no object cannot have one. */
function lineOf(side: Side, template: string, ref: number): string {
  const written = of(side, template);
  return written.startsWith('{"') ? `{"ref":${ref},${written.slice(1)}` : written;
}

const stateOf = async ({ world, instance }: Side) => {
  const { json } = await world.call('GET', `/config/instances/${instance}`);
  const accounts = await world.call('GET', `/v1/fairness/instances/${instance}/conservation`);
  return [json, accounts.json, world.commands.filter(({ kind }) => kind === 'Contribute')];
};

/** Sends lines, and gives back their results in the order in which they were sent. */
async function results(
  { world, token }: Side,
  lines: readonly string[],
  oneByOne: boolean,
): Promise<unknown[]> {
  const client = new StreamClient(world.port, { token });
  if (!oneByOne) client.send(lines.join(''));
  for (const [index, each] of oneByOne ? lines.entries() : []) {
    client.send(each);
    await client.answered(index + 1);
  }
  client.end();
  const answers = await client.results();
  // What has no ref has the number of its line.
  const placeOf = ({ ref, line }: ResultLine) => ref ?? line;
  return answers.toSorted((a, b) => placeOf(a) - placeOf(b)).map(comparable);
}

it('gives every line what O16 gives the same body, and leaves the same state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 25 }), fc.boolean(), async (texts, isSlow) => {
      for (const { world } of [requested, streamed]) world.players.forget();
      // Lines of players who are asked about overtake nobody only one at a time.
      const sent = texts.filter((each) => each !== '' && (isSlow || !each.includes('"vip"')));
      const expected: unknown[] = [];
      for (const each of sent) expected.push(await request(requested, each));
      const lines = sent.map((each, index) => `${lineOf(streamed, each, index + 1)}\n`);
      expect(await results(streamed, lines, isSlow)).toEqual(expected);
      expect(await stateOf(streamed)).toEqual(await stateOf(requested));
    }),
    { numRuns: 60 },
  );
});
