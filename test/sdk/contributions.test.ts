import { afterEach, describe, expect, it } from 'vitest';
import { ContributionError, JsonText, type SourceContribution } from '../../sdk/src/index.ts';
import { assemble, type PotstreamOptions } from '../../sdk/src/potstream.ts';
import {
  applied,
  appliedList,
  json,
  refusal,
  repeated,
  reset,
  type ScriptedServer,
  type Step,
  silence,
  startScriptedServer,
} from './support/scripted-server.ts';
import { stillPace } from './support/still-pace.ts';

let server: ScriptedServer;
afterEach(() => server.stop());

const body: SourceContribution = {
  token: 'session',
  brand_id: 'acme:main',
  player_id: 'ada',
  player_country: 'DE',
  base_wager: '1.00',
  currency: 'EUR',
};

async function world(steps: readonly Step[], options: Partial<PotstreamOptions> = {}, random = 0) {
  server = await startScriptedServer(...steps);
  const pace = stillPace(random);
  const credentials = { username: 'service', password: 'a long password' };
  return { pace, potstream: assemble({ baseUrl: server.baseUrl, credentials, ...options }, pace) };
}

const keysSent = () => server.requests.map((request) => JSON.parse(request.body).idempotency_key);
const failureOf = async (promise: Promise<unknown>): Promise<ContributionError> => {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ContributionError);
  return error;
};

describe('the result of a contribution', () => {
  const first = {
    replayed: false,
    contribution_id: '6b6a2b9e-5a53-4a4c-8a57-1c4b0f6f9d10',
    timestamp: 1700000000123,
    request_id: 'request-2',
    instance_id: 'gold',
    win_amount: '12345678901.12345678',
    win_currency: 'EUR',
    win_pot_id: 'grand',
    tickets_awarded: 3,
  };

  it('has exact amounts', async () => {
    const { potstream } = await world([applied]);
    const contribution = await potstream.contributeBySource('slot-1', body);
    expect(contribution).toMatchObject(first);
    expect(contribution.results).toEqual([
      {
        instance_id: 'gold',
        timestamp: 1700000000123,
        gameround_id: null,
        win_amount: '12345678901.12345678',
        win_pot_id: 'grand',
        tickets_awarded: 3,
        win_withheld: false,
        contribution_currency: 'EUR',
        contribution_amount: '0.10',
        bonus_amount_used: '0',
        metadata: { own: 1.5 },
      },
    ]);
    expect(server.requests[0]?.path).toBe('/v1/jackpot/sources/slot-1/contributions');
  });

  it('is of the same type for a repeat, and says so', async () => {
    const { potstream } = await world([repeated]);
    const repeat = await potstream.contributeToInstance('gold', { ...body, idempotency_key: 'round-1' });
    expect(repeat).toEqual({ ...first, replayed: true, idempotency_key: 'round-1', results: [] });
  });

  it('has each result of version 2, whose key is one of its options', async () => {
    const { potstream } = await world([appliedList]);
    const contribution = await potstream.contribute({
      target: { id: 'slot-1', type: 'source' },
      source: { id: 'round-1', type: 'gameround' },
      operator_id: 'acme',
      player: { id: 'ada', token: 'session', country: 'DE', brand_id: 'main' },
      base_wager: { currency: 'EUR', value: '1.00' },
      options: { allow_linked_contributions: true },
    });
    expect(contribution.results.map(({ win_amount }) => win_amount)).toEqual(['12345678901.12345678']);
    const sent = JSON.parse(server.requests[0]?.body ?? '');
    expect(sent.options).toEqual({
      allow_linked_contributions: true,
      idempotency_key: contribution.idempotency_key,
    });
    expect(sent).not.toHaveProperty('idempotency_key');
  });

  it('of an asynchronous contribution is not known yet', async () => {
    const accepted: Step = (answer) => {
      const headers = { 'x-contribution-id': 'c', 'x-timestamp': '5', 'content-length': '0' };
      answer.writeHead(200, headers).end();
    };
    const { potstream } = await world([accepted]);
    const callback = { web_hook: 'https://operator.example/hook' };
    expect(await potstream.contributeBySource('slot-1', { ...body, callback })).toMatchObject({
      replayed: false,
      contribution_id: 'c',
      timestamp: 5,
      instance_id: null,
      win_amount: null,
      tickets_awarded: null,
      results: [],
    });
  });
});

describe('a contribution is sent again', () => {
  it.each<[string, Step]>([
    ['after a lost connection', reset],
    ['after outcome_unknown', refusal(504, 'outcome_unknown')],
    ['after idempotency_in_progress', refusal(409, 'idempotency_in_progress', { 'retry-after': '1' })],
    ['after a 503', refusal(503, 'overloaded', { 'retry-after': '1' })],
    ['after a 429', refusal(429, 'rate_limited', { 'retry-after': '1' })],
    ['after request_timeout', refusal(408, 'request_timeout')],
    ['after an answer of a proxy', (answer) => void answer.writeHead(502).end('<html>Bad gateway</html>')],
  ])('%s, with the same key and the same bytes', async (_, step) => {
    const { potstream } = await world([step, step, repeated]);
    const promise = potstream.contributeBySource('slot-1', { ...body, metadata: { b: 1, a: 2 } });
    expect(await promise).toMatchObject({ replayed: true });
    expect(server.requests).toHaveLength(3);
    expect(new Set(server.requests.map((request) => request.body)).size).toBe(1);
    expect(keysSent()[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('with metadata that is JSON already as it stands', async () => {
    const { potstream } = await world([repeated, repeated]);
    const metadata = new JsonText('{"id":12345678901234567890}');
    await potstream.contributeBySource('slot-1', {
      ...body,
      idempotency_key: 'k',
      metadata,
      event_metadata: [1],
    });
    await potstream.contributeBySource('slot-1', { ...body, idempotency_key: 'k', metadata: { a: 1 } });
    const { token: _, ...members } = JSON.parse(JSON.stringify(body));
    const [raw, usual] = server.requests.map((request) => request.body);
    expect(raw).toContain('"metadata":{"id":12345678901234567890},"event_metadata":[1]}');
    expect(JSON.parse(raw ?? '')).toMatchObject({ ...members, idempotency_key: 'k' });
    expect(JSON.parse(usual ?? '')).toEqual({ ...body, idempotency_key: 'k', metadata: { a: 1 } });
  });

  it('after a timeout', async () => {
    const { potstream } = await world([silence, repeated], { retry: { attemptTimeoutMs: 50 } });
    expect(await potstream.contributeBySource('slot-1', body)).toMatchObject({ replayed: true });
    expect(new Set(keysSent()).size).toBe(1);
  });

  it('with a key for each contribution, or the one of the caller', async () => {
    const { potstream } = await world([applied]);
    await potstream.contributeBySource('slot-1', body);
    await potstream.contributeBySource('slot-1', body);
    await potstream.contributeBySource('slot-1', { ...body, idempotency_key: 'mine' });
    const [one, two, mine] = keysSent();
    expect(one).not.toBe(two);
    expect(mine).toBe('mine');
  });

  it('no sooner than the answer asks for, then later each time, with jitter', async () => {
    const busy = refusal(503, 'overloaded', { 'retry-after': '2' });
    const { potstream, pace } = await world([busy, reset, reset, reset, repeated]);
    await potstream.contributeBySource('slot-1', body);
    expect(pace.waits).toEqual([2050, 100, 200, 400]);
    await server.stop();
    const other = await world([reset, reset, repeated], {}, 0.5);
    await other.potstream.contributeBySource('slot-1', body);
    expect(other.pace.waits).toEqual([75, 150]);
  });

  it('a limited number of times', async () => {
    const { potstream, pace } = await world([reset]);
    const error = await failureOf(potstream.contributeBySource('slot-1', body));
    expect(error).toMatchObject({ code: 'no_answer', status_code: null, outcome: 'unknown' });
    expect(server.requests).toHaveLength(6);
    expect(pace.waits).toHaveLength(5);
    expect(keysSent()).toEqual(Array(6).fill(error.idempotency_key));
  });

  it('not when the answer asks for more time than is left', async () => {
    const { potstream } = await world([refusal(503, 'instance_unavailable', { 'retry-after': '60' })]);
    const error = await failureOf(potstream.contributeBySource('slot-1', body));
    expect(error).toMatchObject({
      code: 'instance_unavailable',
      retry_after_ms: 60_000,
      outcome: 'not_applied',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('not once the caller has given up', async () => {
    const controller = new AbortController();
    const giveUp: Step = () => controller.abort(new Error('The player left.'));
    const { potstream } = await world([giveUp]);
    const { signal } = controller;
    const error = await failureOf(potstream.contributeBySource('slot-1', body, { signal }));
    expect(error).toMatchObject({ code: 'no_answer', outcome: 'unknown' });
    expect(server.requests).toHaveLength(1);
    const second = await failureOf(potstream.contributeBySource('slot-1', body, { signal }));
    expect(second.outcome).toBe('not_applied');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a refused contribution', () => {
  it.each([
    [400, 'invalid_request'],
    [403, 'brand_forbidden'],
    [404, 'source_not_found'],
    [409, 'version_conflict'],
    [422, 'amount_precision'],
    [422, 'idempotency_key_reused'],
  ])('is reported at once: %i %s', async (status, code) => {
    const { potstream } = await world([refusal(status, code)]);
    const error = await failureOf(potstream.contributeBySource('slot-1', body));
    expect(error).toMatchObject({
      status_code: status,
      code,
      message: 'No.',
      request_id: 'request-1',
      retry_after_ms: null,
      outcome: 'not_applied',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('may have been applied if an earlier attempt had no answer', async () => {
    const { potstream } = await world([reset, refusal(422, 'opt_in_required')]);
    const error = await failureOf(potstream.contributeBySource('slot-1', body));
    expect(error).toMatchObject({ code: 'opt_in_required', outcome: 'unknown' });
  });

  it('may have been applied after internal_error, and is not sent again', async () => {
    const { potstream } = await world([refusal(500, 'internal_error')]);
    const error = await failureOf(potstream.contributeBySource('slot-1', body));
    expect(error).toMatchObject({ code: 'internal_error', outcome: 'unknown' });
    expect(server.requests).toHaveLength(1);
  });

  it("is not confirmed by an answer without Potstream's headers", async () => {
    const { potstream } = await world([(answer) => void answer.writeHead(204).end()]);
    const error = await failureOf(potstream.contributeBySource('slot-1', body));
    expect(error).toMatchObject({ code: 'unexpected_answer', status_code: 204, outcome: 'unknown' });
  });

  it('was not sent while nobody can log in', async () => {
    const { potstream } = await world([applied], {
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    });
    const error = await failureOf(potstream.contributeBySource('slot-1', body));
    expect(error).toMatchObject({ code: 'no_answer', outcome: 'not_applied' });
  });

  it('never leads to another address', async () => {
    const { potstream } = await world([json(307, {}, { location: 'http://127.0.0.1:1/' })], {
      retry: { maxAttempts: 1 },
    });
    expect(await failureOf(potstream.contributeBySource('slot-1', body))).toMatchObject({
      code: 'no_answer',
    });
    expect(server.requests).toHaveLength(1);
  });
});
