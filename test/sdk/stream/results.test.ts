import { afterEach, describe, expect, it } from 'vitest';
import type { StreamedContribution } from '../../../sdk/src/index.ts';
import { refuse, type StreamServer, serve, startStreamServer } from '../support/stream-server.ts';
import {
  collect,
  contributionOf,
  expectOneEach,
  items,
  potstreamOf,
  resultsOf,
} from '../support/stream-world.ts';

let server: StreamServer;
afterEach(() => server.stop());

describe('the results of a stream', () => {
  it('come with the caller’s own value, and with every digit', async () => {
    server = await startStreamServer(serve);
    const { potstream } = potstreamOf(server.baseUrl);
    const rounds = [{ id: 'a' }, { id: 'b' }];
    const input = rounds.map((ref) => ({ ref, contribution: contributionOf(ref.id) }));
    const results = await collect(potstream.streamContributions(input));
    expect(results.map(({ ref }) => ref)).toEqual(rounds);
    expect(results[0]?.ref).toBe(rounds[0]);
    expect(results[0]).toEqual({
      ok: true,
      ref: rounds[0],
      idempotency_key: 'a',
      attempts: 1,
      replayed: false,
      contribution_id: null,
      timestamp: null,
      results: [
        {
          instance_id: 'gold',
          timestamp: 1,
          gameround_id: null,
          win_amount: '0',
          win_pot_id: null,
          tickets_awarded: 0,
          win_withheld: false,
          contribution_currency: 'EUR',
          contribution_amount: '12345678901.12345671',
          bonus_amount_used: '0',
          metadata: { note: '"win_amount":1' },
        },
      ],
    });
  });

  it('leave numbers of the metadata alone, whatever they are called', async () => {
    server = await startStreamServer(serve);
    const results = await resultsOf(server.baseUrl, 7);
    const seventh = results.at(-1) as StreamedContribution<number>;
    expect(seventh.results[0]).toMatchObject({ win_amount: '0', metadata: { win_amount: 1.5 } });
  });

  it('say what a contribution with a callback is answered with', async () => {
    server = await startStreamServer(async ({ lines, write }) => {
      for await (const { ref } of lines())
        write(`{"ref":${ref},"results":[],"contribution_id":"c-1","timestamp":5}`);
    });
    expect(await resultsOf(server.baseUrl, 1)).toMatchObject([
      { ok: true, results: [], contribution_id: 'c-1', timestamp: 5, replayed: false },
    ]);
  });

  it('are as a first answer for a known key, but for a flag', async () => {
    server = await startStreamServer(serve);
    const [first] = await resultsOf(server.baseUrl, 1);
    const [again] = await resultsOf(server.baseUrl, 1);
    expect(first).toMatchObject({ ok: true, replayed: false });
    expect(again).toEqual({ ...first, replayed: true });
  });

  it('are refusals too, and the stream goes on', async () => {
    server = await startStreamServer(async ({ lines, write, ledger, response }) => {
      for await (const line of lines()) {
        const error = { status_code: 422, code: 'instance_not_active', message: 'It is paused.' };
        write(line.number === 2 ? JSON.stringify({ ref: line.ref, error }) : ledger.apply(line));
        if (line.number === 3) response.end();
      }
    });
    const results = await resultsOf(server.baseUrl, 3);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(results[1]).toEqual({
      ok: false,
      ref: 1,
      idempotency_key: 'k1',
      attempts: 1,
      outcome: 'not_applied',
      error: {
        status_code: 422,
        code: 'instance_not_active',
        message: 'It is paused.',
        retry_after_ms: null,
      },
    });
  });

  it('of lines that the service could not read are found by their number', async () => {
    server = await startStreamServer(async ({ lines, write }) => {
      for await (const { number } of lines()) {
        const error = { status_code: 400, code: 'payload_too_deep', message: 'No.' };
        write(JSON.stringify({ ref: null, line: number, error }));
      }
    });
    const results = await resultsOf(server.baseUrl, 2);
    expect(results).toMatchObject([
      { ref: 0, ok: false, error: { code: 'payload_too_deep' } },
      { ref: 1, ok: false },
    ]);
  });

  it('may come in any order, and twice', async () => {
    server = await startStreamServer(async ({ lines, write, ledger }) => {
      const answers: string[] = [];
      for await (const line of lines()) {
        answers.unshift(ledger.apply(line));
        if (answers.length === 50) write(...answers, ...answers);
      }
    });
    const results = await resultsOf(server.baseUrl, 50);
    expect(results.map(({ ref }) => ref)).toEqual(Array.from({ length: 50 }, (_, index) => 49 - index));
  });

  it('of a contribution that is too large for a line come without sending it', async () => {
    server = await startStreamServer(serve);
    const { potstream } = potstreamOf(server.baseUrl);
    const large = contributionOf('large', { metadata: { text: 'x'.repeat(65_536) } });
    const input = [{ ref: -1, contribution: large }, ...items(2)];
    const results = await collect(potstream.streamContributions(input));
    expectOneEach(
      results.filter(({ ref }) => ref >= 0),
      2,
    );
    expect(results.find(({ ref }) => ref < 0)).toMatchObject({
      ok: false,
      attempts: 0,
      outcome: 'not_applied',
      error: { code: 'payload_too_large' },
    });
    expect(server.received).toHaveLength(2);
  });

  it('of nothing are nothing, and open no connection', async () => {
    server = await startStreamServer(refuse(500, 'internal_error'));
    expect(await resultsOf(server.baseUrl, 0)).toEqual([]);
    expect(server.opened).toBe(0);
  });
});

describe('a contribution of a stream', () => {
  it('gets an idempotency key of its own, which all attempts carry', async () => {
    server = await startStreamServer(async ({ lines, reset }) => {
      for await (const _ of lines()) reset();
    }, serve);
    const { potstream } = potstreamOf(server.baseUrl);
    const { options: _, ...contribution } = contributionOf('unnamed');
    const [result] = await collect(potstream.streamContributions([{ ref: 1, contribution }]));
    expect(result).toMatchObject({ ok: true, attempts: 2 });
    expect(server.received.map(({ key }) => key)).toEqual([result?.idempotency_key, result?.idempotency_key]);
    expect(server.received[0]?.text).toBe(server.received[1]?.text);
  });

  it('cannot be signed', async () => {
    server = await startStreamServer(serve);
    const { potstream } = potstreamOf(server.baseUrl, { credentials: { key_id: 'k', secret: 's' } });
    expect(() => potstream.streamContributions(items(1))).toThrow(TypeError);
  });
});
