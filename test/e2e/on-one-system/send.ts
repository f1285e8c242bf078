import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPotstream, type StreamItem } from '../../../sdk/src/index.ts';
import { potstream as command } from '../../cli/support/command.ts';
import { administratorOf, instanceOf } from '../../sdk/support/practice.ts';
import { oneSystem } from '../../support/one-system.ts';
import type { RunningSystem } from '../../support/system.ts';
import { atomsOf, Books, contributedAtoms, header, rowOf, seedless, wagerCents } from '../send/rounds.ts';

/** The SDK's stream and `potstream send` on the whole product, whose gateway is killed on the way. */
const sdkContributions = 4_000;
const rows = 4_000;
const lookEveryMs = 20;
let system: RunningSystem;
let instance: string;
let directory: string;
let books: Books;

beforeAll(async () => {
  system = await oneSystem();
  instance = await instanceOf(await administratorOf(system), seedless, 'Sent');
  books = new Books(system, instance);
  directory = mkdtempSync(join(tmpdir(), 'potstream-send-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('each contribution of a stream has one result, although its gateway is killed', async () => {
  const potstream = createPotstream({ baseUrl: system.baseUrl, credentials: system.credentials.service });
  function* items(): Generator<StreamItem<number>> {
    for (let ref = 0; ref < sdkContributions; ref += 1) {
      const contribution = {
        target: { type: 'instance', id: instance },
        source: { type: 'gameround', id: `sdk-${ref}` },
        operator_id: 'demo',
        player: { id: `sdk-${ref % 50}`, token: 'session', country: 'DE', brand_id: 'direct' },
        base_wager: { currency: 'EUR', value: (wagerCents(ref) / 100).toFixed(2) },
      } as const;
      yield { ref, contribution };
    }
  }
  const seen = new Set<number>();
  let sum = 0n;
  let expected = 0n;
  let attempts = 0;
  let killed: Promise<void> | null = null;
  for await (const result of potstream.streamContributions(items(), { limits: { maxContributions: 500 } })) {
    expect(seen.has(result.ref)).toBe(false);
    seen.add(result.ref);
    if (!result.ok) throw new Error(JSON.stringify(result));
    for (const { contribution_amount } of result.results) sum += atomsOf(contribution_amount);
    expected += contributedAtoms(wagerCents(result.ref));
    attempts = Math.max(attempts, result.attempts);
    if (seen.size === 1_000) killed = system.kill('gateway');
  }
  await killed;
  await system.ready();
  expect(seen.size).toBe(sdkContributions);
  expect(attempts).toBeGreaterThan(1);
  expect(sum).toBe(expected);
  expect(await books.now()).toEqual({ contributions: sdkContributions, paid: -expected, sum: 0n });
});

test('a file is sent to the last line, although its gateway is killed', async () => {
  const before = await books.now();
  const file = join(directory, 'rounds.csv');
  const all = Array.from({ length: rows }, (_, row) => rowOf(instance, row));
  writeFileSync(file, `${header}\n${all.join('\n')}\n`);
  const expected = all.reduce((sum, _, row) => sum + contributedAtoms(wagerCents(row)), 0n);
  const sending = command(
    ['send', file, '--results', join(directory, 'results'), '--window', '500', '--rate', '4000', '--json'],
    { POTSTREAM_DATA: system.dataDirectory },
  );
  const contributions = async () => (await books.now()).contributions - before.contributions;
  // The limit for addresses takes no look after look without a pause.
  while ((await contributions()) < rows / 4) await delay(lookEveryMs);
  await system.kill('gateway');
  const { code, stdout, stderr } = await sending;
  await system.ready();
  expect(code, stderr).toBe(0);
  const report = JSON.parse(stdout);
  expect(report.applied + report.repeated).toBe(rows);
  const lines = readFileSync(join(directory, 'results'), 'utf8').trimEnd().split('\n');
  const numbers = lines.map((line) => JSON.parse(line).line as number);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, row) => row + 2));
  const { applied, repeated } = report.contributed.EUR;
  expect(atomsOf(applied) + atomsOf(repeated)).toBe(expected);
  expect(await books.now()).toEqual({
    contributions: before.contributions + rows,
    paid: before.paid - expected,
    sum: 0n,
  });
});
