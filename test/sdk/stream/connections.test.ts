import { afterEach, describe, expect, it } from 'vitest';
import { stillPace } from '../support/still-pace.ts';
import {
  type Conduct,
  refuse,
  type StreamServer,
  serve,
  startStreamServer,
} from '../support/stream-server.ts';
import { collect, expectOneEach, failureOf, items, potstreamOf, resultsOf } from '../support/stream-world.ts';

let server: StreamServer;
afterEach(() => server.stop());

/** Serves so many lines, and then does something else with the next one. */
function behind(count: number, what: (stream: Parameters<Conduct>[0], number: number) => void): Conduct {
  return async (stream) => {
    for await (const line of stream.lines()) {
      if (line.number > count) {
        what(stream, line.number);
        return;
      }
      stream.write(stream.ledger.apply(line));
    }
    stream.response.end();
  };
}

describe('a stream whose connection is lost', () => {
  const losses: readonly (readonly [string, Conduct])[] = [
    ['before the answer', ({ reset }) => reset()],
    [
      'behind the head of the answer',
      async ({ response, reset }) => {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.flushHeaders();
        await new Promise((resolve) => setTimeout(resolve, 20));
        reset();
      },
    ],
    ['with contributions under way', behind(40, ({ reset }) => reset())],
    [
      'with contributions applied and not answered',
      async ({ lines, ledger, reset }) => {
        for await (const line of lines()) {
          ledger.apply(line);
          if (line.number === 60) reset();
        }
      },
    ],
    [
      'in the middle of a result',
      async ({ lines, ledger, write, response, reset }) => {
        for await (const line of lines()) {
          const answer = ledger.apply(line);
          if (line.number <= 30) write(answer);
          else if (line.number === 31) response.write(answer.slice(0, 50), () => reset());
        }
      },
    ],
    ['by a clean end that is none', behind(25, ({ response }) => void response.end())],
    [
      'by a clean end in the middle of a result',
      behind(25, ({ response }) => void response.end('{"ref":26,"results":[')),
    ],
  ];

  it.each(losses)('%s yields each result once', async (_, conduct) => {
    server = await startStreamServer(conduct, conduct, serve);
    expectOneEach(await resultsOf(server.baseUrl, 200), 200);
    expect(server.opened).toBe(3);
    expect(server.ledger.applied).toBe(200);
    expect(server.ledger.changed).toEqual([]);
  });

  it('says which contributions may have been applied when they are refused afterwards', async () => {
    const no = { status_code: 403, code: 'owner_disabled', message: 'No.' };
    server = await startStreamServer(
      async ({ lines, reset }) => {
        for await (const { number } of lines()) if (number === 2) reset();
      },
      async ({ lines, write }) => {
        for await (const { ref } of lines()) write(JSON.stringify({ ref, error: no }));
      },
    );
    const results = await resultsOf(server.baseUrl, 2);
    expect(results).toMatchObject([
      { ok: false, outcome: 'unknown', attempts: 2 },
      { ok: false, outcome: 'unknown', attempts: 2 },
    ]);
  });
});

describe('a stream that the service ends', () => {
  it.each([
    ['shutting_down', 503, 1],
    ['malformed_http', 400, undefined],
    ['request_timeout', 408, undefined],
    ['rate_limited', 429, 3],
  ])('with %s goes on at the line that it names', async (code, status, retryAfter) => {
    server = await startStreamServer(
      behind(10, ({ end }, line) => end(line, status, code, retryAfter)),
      serve,
    );
    const { pace, potstream } = potstreamOf(server.baseUrl);
    const results = await collect(potstream.streamContributions(items(100)));
    expectOneEach(results, 100);
    // What was not taken is no repeat, and cannot have had an effect.
    expect(results.filter((result) => result.ok && result.replayed)).toEqual([]);
    expect(server.ledger.applied).toBe(100);
    if (retryAfter !== undefined) expect(Math.min(...pace.waits)).toBeGreaterThanOrEqual(retryAfter * 1000);
  });

  it('because its token ended goes on with a new one', async () => {
    const tokens: (string | undefined)[] = [];
    const noting =
      (conduct: Conduct): Conduct =>
      (stream) => {
        tokens.push(stream.request.headers.authorization);
        return conduct(stream);
      };
    const ended = behind(5, ({ end }, line) => end(line, 401, 'token_expired'));
    server = await startStreamServer(noting(ended), noting(serve));
    expectOneEach(await resultsOf(server.baseUrl, 20), 20);
    expect(server.logins).toBe(2);
    expect(new Set(tokens).size).toBe(2);
  });

  it('because of a large line refuses that one and goes on behind it', async () => {
    server = await startStreamServer(
      behind(3, ({ end }, line) => end(line, 413, 'payload_too_large')),
      serve,
    );
    const results = await resultsOf(server.baseUrl, 10);
    expectOneEach(results, 10);
    expect(results.filter(({ ok }) => !ok)).toMatchObject([
      { ref: 3, error: { code: 'payload_too_large' }, outcome: 'not_applied' },
    ]);
    expect(server.ledger.keys()).not.toContain('k3');
  });

  it('with an error of the caller fails, and says what is open', async () => {
    server = await startStreamServer(behind(4, ({ end }, line) => end(line, 403, 'forbidden')));
    const { potstream } = potstreamOf(server.baseUrl);
    const { results, error } = await failureOf(potstream.streamContributions(items(10)));
    expectOneEach(results, 4);
    expect(error).toMatchObject({ code: 'forbidden', status_code: 403, answered: 4 });
    expect(error.open.map(({ ref, outcome }) => [ref, outcome])).toEqual(
      [4, 5, 6, 7, 8, 9].map((ref) => [ref, 'not_applied']),
    );
    expect(server.opened).toBe(1);
  });
});

describe('a stream that is not opened', () => {
  it.each([
    ['429', refuse(429, 'too_many_connections', { 'retry-after': '2' })],
    ['503', refuse(503, 'overloaded', { 'retry-after': '2' })],
  ])('for %s waits as long as it is asked to', async (_, conduct) => {
    server = await startStreamServer(conduct, conduct, serve);
    const { pace, potstream } = potstreamOf(server.baseUrl);
    const interruptions: string[] = [];
    const onInterrupted = ({ code }: { code: string }) => void interruptions.push(code);
    expectOneEach(await collect(potstream.streamContributions(items(10), { onInterrupted })), 10);
    expect(pace.waits).toHaveLength(2);
    expect(Math.min(...pace.waits)).toBeGreaterThanOrEqual(2_000);
    expect(interruptions).toHaveLength(2);
  });

  it('waits longer each time, and gives up after its patience', async () => {
    server = await startStreamServer(refuse(503, 'overloaded'));
    const { pace, potstream } = potstreamOf(server.baseUrl, {}, stillPace());
    const stream = potstream.streamContributions(items(3), { limits: { patienceMs: 60_000 } });
    const { results, error } = await failureOf(stream);
    expect(results).toEqual([]);
    expect(error).toMatchObject({ code: 'overloaded', answered: 0 });
    expect(error.open).toHaveLength(3);
    expect(pace.waits.slice(0, 4)).toEqual([50, 100, 200, 400]);
    expect(Math.max(...pace.waits)).toBe(2_500);
    const waited = pace.waits.reduce((sum, each) => sum + each, 0);
    expect(waited).toBeGreaterThan(50_000);
    expect(waited).toBeLessThanOrEqual(60_000);
  });

  it('logs in again after one refused token', async () => {
    server = await startStreamServer(refuse(401, 'token_revoked'), serve);
    expectOneEach(await resultsOf(server.baseUrl, 5), 5);
    expect(server.logins).toBe(2);
  });

  it.each([
    ['401 for good', 401, 'token_revoked', 2],
    ['403', 403, 'forbidden', 1],
    ['404', 404, 'route_not_found', 1],
    ['415', 415, 'unsupported_media_type', 1],
  ])('fails for %s', async (_, status, code, opened) => {
    server = await startStreamServer(refuse(status, code));
    const { potstream } = potstreamOf(server.baseUrl);
    const { results, error } = await failureOf(potstream.streamContributions(items(3)));
    expect(results).toEqual([]);
    expect(error).toMatchObject({ status_code: status, code, answered: 0 });
    expect(error.open.map(({ idempotency_key, outcome }) => [idempotency_key, outcome])).toEqual([
      ['k0', 'not_applied'],
      ['k1', 'not_applied'],
      ['k2', 'not_applied'],
    ]);
    expect(server.opened).toBe(opened);
    expect(server.received).toEqual([]);
  });

  it('fails where something else answers', async () => {
    server = await startStreamServer(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<h1>Welcome</h1>');
    });
    const { potstream } = potstreamOf(server.baseUrl);
    const { error } = await failureOf(potstream.streamContributions(items(1)));
    expect(error.code).toBe('unexpected_answer');
  });
});

describe('an answer that is not Potstream’s', () => {
  it.each([
    ['no JSON', () => 'Service unavailable'],
    ['JSON that is no result', () => '[1, 2]'],
    ['a result for a line that was not sent', () => `{"ref":99,"results":[]}`],
    ['a result without results', (ref: number) => `{"ref":${ref}}`],
    ['a line without an end', () => 'x'.repeat(5_000_000)],
  ])('ends the stream: %s', async (_, wrong) => {
    server = await startStreamServer(async ({ lines, write, response, ledger }) => {
      for await (const line of lines()) {
        if (line.number === 1) write(ledger.apply(line));
        else if (wrong(line.ref).length > 1000) response.write(wrong(line.ref));
        else write(wrong(line.ref));
      }
    });
    const { potstream } = potstreamOf(server.baseUrl);
    const { results, error } = await failureOf(potstream.streamContributions(items(3)));
    expectOneEach(results, 1);
    expect(error).toMatchObject({ code: 'unexpected_answer', answered: 1 });
    expect(error.open).toMatchObject([
      { ref: 1, outcome: 'unknown' },
      { ref: 2, outcome: 'unknown' },
    ]);
  });
});
