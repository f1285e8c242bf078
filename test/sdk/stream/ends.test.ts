import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StreamItem } from '../../../sdk/src/index.ts';
import { type StreamServer, serve, startStreamServer } from '../support/stream-server.ts';
import {
  contributionOf,
  expectOneEach,
  failureOf,
  items,
  patience,
  potstreamOf,
} from '../support/stream-world.ts';

let server: StreamServer;
afterEach(() => server.stop());

describe('a stream that its caller ends', () => {
  it('by a signal throws, and says what is open', async () => {
    server = await startStreamServer(async ({ lines, ledger, write }) => {
      for await (const line of lines()) if (line.number <= 3) write(ledger.apply(line));
    });
    const { potstream } = potstreamOf(server.baseUrl);
    const ending = new AbortController();
    const limits = { maxContributions: 10 };
    const failing = failureOf(potstream.streamContributions(items(99), { signal: ending.signal, limits }));
    // Each of the three results makes room for one more.
    await vi.waitFor(() => expect(server.received).toHaveLength(13), patience);
    ending.abort(new Error('enough'));
    const { results, error } = await failing;
    expectOneEach(results, 3);
    expect(error).toMatchObject({ code: 'aborted', answered: 3, cause: new Error('enough') });
    expect(error.open).toHaveLength(10);
    expect(new Set(error.open.map(({ outcome }) => outcome))).toEqual(new Set(['unknown']));
  });

  it('by a signal that has come already sends nothing', async () => {
    server = await startStreamServer(serve);
    const { potstream } = potstreamOf(server.baseUrl);
    const stream = potstream.streamContributions(items(9), { signal: AbortSignal.abort() });
    const { results, error } = await failureOf(stream);
    expect(results).toEqual([]);
    expect(error.code).toBe('aborted');
    expect(server.received).toEqual([]);
  });

  it('by a signal during a pause does not wait', async () => {
    server = await startStreamServer(({ response }) => {
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '50' });
      response.end('{"status_code":503,"code":"overloaded","message":"No."}');
    });
    const { createPotstream } = await import('../../../sdk/src/index.ts');
    const potstream = createPotstream({
      baseUrl: server.baseUrl,
      credentials: { username: 'a', password: 'b' },
    });
    const ending = new AbortController();
    const failing = failureOf(potstream.streamContributions(items(1), { signal: ending.signal }));
    await vi.waitFor(() => expect(server.opened).toBe(1), patience);
    await pause(20);
    ending.abort();
    expect((await failing).error.code).toBe('aborted');
  });

  it('by leaving its loop ends the connection and the input', async () => {
    let closed = false;
    server = await startStreamServer(async (stream) => {
      stream.request.on('close', () => {
        closed = true;
      });
      await stream.serve();
    });
    const { potstream } = potstreamOf(server.baseUrl);
    let ended = false;
    async function* endless(): AsyncGenerator<StreamItem<number>> {
      try {
        for (let ref = 0; ; ref += 1) yield { ref, contribution: contributionOf(`k${ref}`) };
      } finally {
        ended = true;
      }
    }
    for await (const { ref } of potstream.streamContributions(endless())) if (ref === 100) break;
    await vi.waitFor(() => expect([closed, ended]).toEqual([true, true]), patience);
  });

  it('leaves no timer and no connection behind', async () => {
    server = await startStreamServer(serve);
    const { potstream } = potstreamOf(server.baseUrl);
    const open = () =>
      process.getActiveResourcesInfo().filter((each) => /Timeout|TCPSocket/.test(each)).length;
    // The log-in keeps its connection for a while.
    await potstream.token();
    const before = open();
    for await (const _ of potstream.streamContributions(items(3)));
    await vi.waitFor(() => expect(open()).toBeLessThanOrEqual(before), patience);
  });
});

describe('an input that fails', () => {
  it('is thrown once everything taken from it is answered', async () => {
    server = await startStreamServer(serve);
    const { potstream } = potstreamOf(server.baseUrl);
    function* failing(): Generator<StreamItem<number>> {
      yield* items(7);
      throw new RangeError('the file is broken');
    }
    const results: number[] = [];
    const stream = potstream.streamContributions(failing());
    await expect(async () => {
      for await (const { ref } of stream) results.push(ref);
    }).rejects.toThrow(new RangeError('the file is broken'));
    expect(results).toHaveLength(7);
  });

  it('fails for a contribution that is no JSON, and is ended', async () => {
    server = await startStreamServer(serve);
    const { potstream } = potstreamOf(server.baseUrl);
    let ended = false;
    function* wrong(): Generator<StreamItem<number>> {
      try {
        yield* items(2);
        yield { ref: 3, contribution: contributionOf('k', { metadata: 1n }) };
        yield* items(1);
      } finally {
        ended = true;
      }
    }
    const results: number[] = [];
    await expect(async () => {
      for await (const { ref } of potstream.streamContributions(wrong())) results.push(ref);
    }).rejects.toThrow(TypeError);
    expect(results).toEqual([0, 1]);
    expect(ended).toBe(true);
  });
});
