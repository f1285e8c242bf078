import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Cut, startCuttingProxy } from '../support/cutting-proxy.ts';
import { type Conduct, startStreamServer } from '../support/stream-server.ts';
import { collect, expectOneEach, items, potstreamOf } from '../support/stream-world.ts';

const contributions = 150;
/** More than all of them take in either direction. */
const maxBytes = 60_000;

const cut: fc.Arbitrary<Cut> = fc.record({
  direction: fc.constantFrom('to server', 'to client'),
  bytes: fc.oneof(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: maxBytes })),
});

/** Answers some lines late, and so in another order. */
const shuffled: Conduct = async ({ lines, ledger, write, response }) => {
  let later: string[] = [];
  for await (const line of lines()) {
    const answer = ledger.apply(line);
    if (line.number % 3 === 0) later.push(answer);
    else write(answer);
    if (later.length > 5 || line.number % 10 === 0) {
      write(...later);
      later = [];
    }
    if (later.length > 0)
      setImmediate(() => {
        if (later.length > 0 && !response.writableEnded) write(...later.splice(0));
      });
  }
  response.end();
};

it('each contribution has one result and is applied once, wherever connections are cut', async () => {
  let cuts = 0;
  let replays = 0;
  const property = fc.asyncProperty(
    fc.array(cut, { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 200 }),
    async (planned, maxContributions) => {
      const server = await startStreamServer(shuffled);
      const port = Number(new URL(server.baseUrl).port);
      const proxy = await startCuttingProxy(port, planned, (head) => head.includes('/v1/auth/'));
      try {
        const { potstream } = potstreamOf(proxy.baseUrl);
        const stream = potstream.streamContributions(items(contributions), { limits: { maxContributions } });
        const results = await collect(stream);
        expectOneEach(results, contributions);
        expect(results.every(({ ok }) => ok)).toBe(true);
        expect(server.ledger.applied).toBe(contributions);
        expect(server.ledger.changed).toEqual([]);
        const amounts = new Map(results.map((result) => [result.idempotency_key, result]));
        expect([...amounts.keys()].toSorted()).toEqual(server.ledger.keys().toSorted());
        cuts += proxy.cuts;
        replays += results.filter((result) => result.ok && result.replayed).length;
      } finally {
        await proxy.stop();
        await server.stop();
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
  // Otherwise nothing was tried.
  expect(cuts).toBeGreaterThan(30);
  expect(replays).toBeGreaterThan(30);
});
