import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StreamItem } from '../../../sdk/src/index.ts';
import { stillPace } from '../support/still-pace.ts';
import { type StreamServer, serve, startStreamServer } from '../support/stream-server.ts';
import {
  collect,
  contributionOf,
  expectOneEach,
  failureOf,
  items,
  patience,
  potstreamOf,
  resultsOf,
} from '../support/stream-world.ts';

let server: StreamServer;
afterEach(() => server.stop());

describe('the window of a stream', () => {
  it('bounds the contributions under way', async () => {
    let under = 0;
    let highest = 0;
    server = await startStreamServer(async ({ lines, write, ledger }) => {
      for await (const line of lines()) {
        under += 1;
        highest = Math.max(highest, under);
        setTimeout(() => {
          under -= 1;
          write(ledger.apply(line));
        }, 2);
      }
    });
    expectOneEach(await resultsOf(server.baseUrl, 500, { limits: { maxContributions: 16 } }), 500);
    expect(highest).toBeGreaterThan(4);
    expect(highest).toBeLessThanOrEqual(16);
  });

  it('bounds their bytes', async () => {
    let taken = 0;
    server = await startStreamServer(async ({ lines }) => {
      for await (const _ of lines());
    });
    const { potstream } = potstreamOf(server.baseUrl);
    const ending = new AbortController();
    const input = (function* () {
      for (const item of items(100)) {
        taken += 1;
        yield { ...item, contribution: contributionOf(`k${taken}`, { metadata: 'x'.repeat(10_000) }) };
      }
    })();
    const limits = { maxBytes: 50_000 };
    const stream = failureOf(potstream.streamContributions(input, { limits, signal: ending.signal }));
    await vi.waitFor(() => expect(server.received).toHaveLength(5), patience);
    await pause(30);
    ending.abort();
    expect((await stream).error.open).toHaveLength(5);
    expect(taken).toBe(5);
  });

  it('is not refilled for a caller who does not take results, and holds a bounded number of them', async () => {
    server = await startStreamServer(serve);
    const { potstream } = potstreamOf(server.baseUrl);
    let taken = 0;
    const counted = (function* () {
      for (const item of items(8_000)) {
        taken += 1;
        yield item;
      }
    })();
    const stream = potstream.streamContributions(counted, { limits: { maxContributions: 64 } });
    let results = 0;
    for await (const _ of stream) {
      results += 1;
      expect(taken - results).toBeLessThanOrEqual(64);
      if (results % 1_000 === 0) {
        await pause(5);
        expect(taken - results).toBeLessThanOrEqual(64);
      }
    }
    expect(results).toBe(8_000);
  });

  it('stops reading where results are large, so that the service stops too', async () => {
    const metadata = 'x'.repeat(7_000);
    let blocked = false;
    server = await startStreamServer(async ({ lines, write, response }) => {
      for await (const { ref } of lines()) {
        write(`{"ref":${ref},"results":[],"note":"${metadata.repeat(20)}"}`);
        blocked ||= response.writableLength > 0;
      }
      response.end();
    });
    const { potstream } = potstreamOf(server.baseUrl);
    const limits = { maxUnreadCharacters: 100_000 };
    const stream = potstream.streamContributions(items(400), { limits });
    let results = 0;
    for await (const _ of stream) {
      if (results === 0) await vi.waitFor(() => expect(blocked).toBe(true), patience);
      results += 1;
    }
    expect(results).toBe(400);
  });

  it('takes input as it comes, and yields results meanwhile', async () => {
    server = await startStreamServer(serve);
    const { potstream } = potstreamOf(server.baseUrl);
    const answered: number[] = [];
    async function* slow(): AsyncGenerator<StreamItem<number>> {
      for (const item of items(5)) {
        yield item;
        // The next one waits for this one's result.
        await vi.waitFor(() => expect(answered).toContain(item.ref), patience);
      }
    }
    for await (const { ref } of potstream.streamContributions(slow())) answered.push(ref);
    expect(answered).toEqual([0, 1, 2, 3, 4]);
    expect(server.opened).toBe(1);
  });
});

describe('a contribution that is refused for a while', () => {
  const busy = (ref: number, retry_after = 0) =>
    JSON.stringify({ ref, error: { status_code: 503, code: 'overloaded', message: 'No.' }, retry_after });

  it('is sent again with the same content, and the others go on', async () => {
    const seen = new Map<string, number>();
    server = await startStreamServer(async ({ lines, write, ledger }) => {
      for await (const line of lines()) {
        seen.set(line.key, (seen.get(line.key) ?? 0) + 1);
        const refused = line.key === 'k0' && (seen.get(line.key) ?? 0) < 3;
        write(refused ? busy(line.ref) : ledger.apply(line));
      }
    });
    const results = await resultsOf(server.baseUrl, 50);
    expectOneEach(results, 50);
    expect(results.at(-1)).toMatchObject({ ok: true, ref: 0, attempts: 3, replayed: false });
    expect(server.ledger.changed).toEqual([]);
    expect(server.opened).toBe(1);
  });

  it('is refused in the end', async () => {
    server = await startStreamServer(async ({ lines, write }) => {
      for await (const { ref } of lines()) write(busy(ref));
    });
    const retry = { maxAttempts: 3 };
    const results = await resultsOf(server.baseUrl, 2, {}, { retry });
    expect(results).toMatchObject([
      { ok: false, attempts: 3, outcome: 'not_applied', error: { code: 'overloaded', retry_after_ms: 0 } },
      { ok: false, attempts: 3 },
    ]);
  });

  it('is refused at once where it would have to wait too long', async () => {
    server = await startStreamServer(async ({ lines, write }) => {
      for await (const { ref } of lines()) write(busy(ref, 60));
    });
    const [result] = await resultsOf(server.baseUrl, 1);
    expect(result).toMatchObject({ ok: false, attempts: 1, error: { retry_after_ms: 60_000 } });
  });

  it('of which an earlier attempt is under way may have been applied', async () => {
    const error = { status_code: 409, code: 'idempotency_in_progress', message: 'Wait.' };
    server = await startStreamServer(async ({ lines, write }) => {
      for await (const { ref } of lines()) write(JSON.stringify({ ref, error, retry_after: 0 }));
    });
    const [result] = await resultsOf(server.baseUrl, 1, {}, { retry: { maxAttempts: 2 } });
    expect(result).toMatchObject({ ok: false, attempts: 2, outcome: 'unknown' });
  });
});

/** Time passes from `begins` until a connection is left, and never again: no other one is left, however long it takes. */
function timeUntilInterrupted() {
  const pace = stillPace();
  let passing: NodeJS.Timeout | undefined;
  return {
    pace,
    begins: () => {
      passing ??= setInterval(() => pace.passMs(10), 5);
    },
    onInterrupted: () => clearInterval(passing),
  };
}

describe('a service that hangs', () => {
  it('before its answer is left', async () => {
    const openTimeoutMs = 50;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      server = await startStreamServer(() => void vi.advanceTimersByTime(openTimeoutMs), serve);
      expectOneEach(await resultsOf(server.baseUrl, 5, { limits: { openTimeoutMs } }), 5);
    } finally {
      vi.useRealTimers();
    }
    expect(server.opened).toBe(2);
  });

  it('with contributions under way is left', async () => {
    const { pace, begins, onInterrupted } = timeUntilInterrupted();
    server = await startStreamServer(async ({ lines, ledger, write }) => {
      for await (const line of lines()) {
        if (line.number <= 3) write(ledger.apply(line));
        if (line.number === 10) begins();
      }
    }, serve);
    const { potstream } = potstreamOf(server.baseUrl, {}, pace);
    const options = { limits: { silenceMs: 60 }, onInterrupted };
    expectOneEach(await collect(potstream.streamContributions(items(10), options)), 10);
    expect(server.opened).toBe(2);
  });

  it('for one contribution alone is left', async () => {
    const { pace, begins, onInterrupted } = timeUntilInterrupted();
    server = await startStreamServer(async ({ lines, ledger, write }) => {
      let forgotten = '';
      for await (const line of lines()) {
        forgotten ||= line.key;
        begins();
        if (line.key !== forgotten) write(ledger.apply(line));
      }
    }, serve);
    const { potstream } = potstreamOf(server.baseUrl, {}, pace);
    async function* steady() {
      for (const item of items(60)) {
        yield item;
        await pause(5);
      }
    }
    const options = { limits: { answerTimeoutMs: 80 }, onInterrupted };
    expectOneEach(await collect(potstream.streamContributions(steady(), options)), 60);
    expect(server.opened).toBe(2);
  });

  it('is not left while the caller is what takes its time', async () => {
    server = await startStreamServer(serve);
    const { pace, potstream } = potstreamOf(server.baseUrl, {}, stillPace());
    const limits = {
      silenceMs: 60,
      answerTimeoutMs: 60,
      maxUnreadCharacters: 500,
      maxContributions: 100_000,
    };
    let results = 0;
    for await (const _ of potstream.streamContributions(items(5_000), { limits })) {
      // In steps, as what has come by then is read meanwhile.
      for (let step = 0; results % 2_500 === 0 && step < 20; step += 1) {
        await pause(10);
        pace.passMs(10);
      }
      results += 1;
    }
    expect(results).toBe(5_000);
    expect(server.opened).toBe(1);
  });
});

describe('the patience of a stream', () => {
  const limits = { patienceMs: 100 };

  it('does not run while nothing is under way', async () => {
    const pace = stillPace();
    const results: unknown[] = [];
    server = await startStreamServer(async ({ lines, ledger, write, end }) => {
      for await (const line of lines()) {
        write(ledger.apply(line));
        await vi.waitFor(() => expect(results).toHaveLength(ledger.applied), patience);
        pace.passMs(150);
        end(line.number + 1, 503, 'shutting_down');
      }
    });
    const { potstream } = potstreamOf(server.baseUrl, {}, pace);
    let interruptions = 0;
    const onInterrupted = () => {
      interruptions += 1;
    };
    async function* slow() {
      for (const item of items(3)) {
        yield item;
        await vi.waitFor(() => expect(interruptions).toBe(item.ref + 1), patience);
        pace.passMs(100);
      }
    }
    for await (const result of potstream.streamContributions(slow(), { limits, onInterrupted }))
      results.push(result);
    expect(results).toMatchObject([{ ref: 0 }, { ref: 1 }, { ref: 2 }]);
    expect(server.opened).toBe(3);
  });

  it('does not run while the caller has results to take', async () => {
    const pace = stillPace();
    let isTaken = false;
    let isInterrupted = false;
    server = await startStreamServer(async ({ lines, ledger, write, reset }) => {
      const answers: string[] = [];
      for await (const line of lines()) if (answers.push(ledger.apply(line)) === 5) break;
      // At once: who takes the first one has the others too.
      write(...answers);
      await vi.waitFor(() => expect(isTaken).toBe(true), patience);
      pace.passMs(150);
      reset();
    }, serve);
    const { potstream } = potstreamOf(server.baseUrl, {}, pace);
    const onInterrupted = () => {
      isInterrupted = true;
    };
    const results = [];
    for await (const result of potstream.streamContributions(items(10), { limits, onInterrupted })) {
      isTaken = true;
      await vi.waitFor(() => expect(isInterrupted).toBe(true), patience);
      results.push(result);
    }
    expectOneEach(results, 10);
  });
});

describe('an idle stream', () => {
  it('sends empty lines, which are counted', async () => {
    let sent = '';
    server = await startStreamServer(async ({ lines, ledger, write, request }) => {
      request.on('data', (text: string) => {
        sent += text;
      });
      for await (const line of lines()) write(ledger.apply(line));
    });
    const emptyLines = () =>
      sent
        .split('\n')
        .slice(0, -1)
        .filter((line) => line === '');
    const { pace, potstream } = potstreamOf(server.baseUrl, {}, stillPace());
    const idleLineMs = 20;
    async function* slow() {
      for (const item of items(3)) {
        yield item;
        await vi.waitFor(() => expect(server.received).toHaveLength(item.ref + 1), patience);
        pace.passMs(idleLineMs);
        await vi.waitFor(() => expect(emptyLines()).toHaveLength(item.ref + 1), patience);
      }
    }
    const stream = potstream.streamContributions(slow(), { limits: { idleLineMs } });
    expectOneEach(await collect(stream), 3);
    expect(server.opened).toBe(1);
    expect(emptyLines()).toHaveLength(3);
    expect(server.received[2]?.ref).toBe(server.received[2]?.number);
  });
});
