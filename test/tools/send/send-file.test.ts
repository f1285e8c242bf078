import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPotstream } from '../../../sdk/src/index.ts';
import { identityOf } from '../../../tools/input/records.ts';
import { keyPrefixOf } from '../../../tools/send/contributions.ts';
import { type Journal, readJournal } from '../../../tools/send/journal.ts';
import { type Run, sendFile } from '../../../tools/send/send-file.ts';
import {
  type Conduct,
  type StreamServer,
  serve,
  startStreamServer,
} from '../../sdk/support/stream-server.ts';
import { contributionOf, credentials } from '../../sdk/support/stream-world.ts';

let directory: string;
let server: StreamServer;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-send-'));
});
afterEach(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

const at = (name: string) => join(directory, name);
const quiet = { isTTY: false, write: () => true };

function writeInput(lines: number): void {
  const texts = Array.from({ length: lines }, (_, index) => {
    const { options: _key, ...contribution } = contributionOf(`round-${index}`);
    return JSON.stringify({ ref: `r${index}`, ...contribution });
  });
  writeFileSync(at('input'), `${texts.join('\n')}\n`);
}

async function runOf(changes: Partial<Run> = {}): Promise<Run> {
  const identity = await identityOf(at('input'));
  return {
    input: { path: at('input'), format: 'ndjson', key: null, keyPrefix: keyPrefixOf(identity.sha256, '') },
    identity,
    batch: '',
    journalPath: at('journal'),
    resultsPath: at('results'),
    streams: 1,
    window: 50,
    rate: null,
    patienceMs: 5_000,
    saveEveryMs: 15,
    ...changes,
  };
}

async function send(before: Journal | null, changes: Partial<Run> = {}) {
  const potstream = createPotstream({ baseUrl: server.baseUrl, credentials });
  return sendFile(await runOf(changes), before, potstream, quiet);
}

const resultLines = () =>
  readFileSync(at('results'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

function expectOneEach(count: number): void {
  const numbers = resultLines().map(({ line }) => line);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
}

/** Answers a line every now and then, so that a run takes some steps of the journal. */
const slow: Conduct = async ({ lines, write, ledger }) => {
  for await (const line of lines()) {
    write(ledger.apply(line));
    if (line.number % 10 === 0) await pause(8);
  }
};

describe('a file that is sent', () => {
  it('has a result for each line, with what the line is named by', async () => {
    server = await startStreamServer(serve);
    writeInput(120);
    const { isDone, tally } = await send(null);
    expect(isDone).toBe(true);
    expect(tally).toMatchObject({ applied: 120, repeated: 0, refused: {} });
    expectOneEach(120);
    const first = resultLines().find(({ line }) => line === 1);
    expect(first).toMatchObject({ ref: 'r0', status: 'applied', results: [{ win_amount: '0' }] });
    expect(first.idempotency_key).toMatch(/^send-[0-9a-f]{32}-1$/);
    expect(await readJournal(at('journal'))).toMatchObject({ isDone: true, open: [] });
  });

  it('goes over several streams, each line over one', async () => {
    server = await startStreamServer(serve);
    writeInput(500);
    await send(null, { streams: 4, window: 20 });
    expectOneEach(500);
    expect(server.opened).toBe(4);
    expect(server.received).toHaveLength(500);
  });

  it('has local refusals among its results', async () => {
    server = await startStreamServer(serve);
    writeFileSync(at('input'), `{}\nwrong\n${JSON.stringify(contributionOf('k'))}\n`);
    const { tally } = await send(null);
    expectOneEach(3);
    expect(tally.refused).toEqual({ invalid_line: { count: 1, firstLines: [2] } });
    expect(resultLines().find(({ line }) => line === 2)).toMatchObject({
      status: 'refused',
      error: { code: 'invalid_line' },
      outcome: 'not_applied',
    });
  });

  it('goes no faster than it may', async () => {
    server = await startStreamServer(serve);
    writeInput(30);
    const beganMs = performance.now();
    await send(null, { rate: 100 });
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(285);
  });

  it('is not finished when the stream fails, and goes on where it was', async () => {
    server = await startStreamServer(async ({ lines, ledger, write, end }) => {
      for await (const line of lines()) {
        if (line.number <= 30) write(ledger.apply(line));
        else return end(line.number, 403, 'forbidden');
      }
    }, serve);
    writeInput(100);
    const failed = await send(null);
    expect(failed).toMatchObject({ isDone: false, isInterrupted: false, tally: { applied: 30 } });
    expect(failed.error).toMatch(/^forbidden: /);
    expect(resultLines()).toHaveLength(30);
    const { isDone, tally } = await send(await readJournal(at('journal')));
    expect(isDone).toBe(true);
    expect(tally).toMatchObject({ applied: 100, repeated: 0 });
    expectOneEach(100);
    expect(server.ledger.applied).toBe(100);
  });
});

describe('a crash at any moment', () => {
  it('loses no line and repeats none in the results', async () => {
    server = await startStreamServer(slow);
    const count = 600;
    writeInput(count);
    const running = send(null, { streams: 2, window: 40 });
    const images: number[] = [];
    let isOver = false;
    running.then(
      () => {
        isOver = true;
      },
      () => {},
    );
    // What a crash leaves: the journal as it was, and results that may be further.
    for (let image = 0; !isOver; image += 1) {
      await pause(40);
      try {
        copyFileSync(at('journal'), at(`journal-${image}`));
        copyFileSync(at('results'), at(`results-${image}`));
      } catch {
        continue;
      }
      images.push(image);
      writeFileSync(at(`results-${image}`), `${readFileSync(at(`results-${image}`), 'utf8')}{"line":`);
    }
    await running;
    expectOneEach(count);
    expect(images.length).toBeGreaterThan(3);
    let resumed = 0;
    for (const image of images.slice(0, 8)) {
      copyFileSync(at(`journal-${image}`), at('journal'));
      copyFileSync(at(`results-${image}`), at('results'));
      const journal = await readJournal(at('journal'));
      resumed += journal?.open.length ?? 0;
      const { isDone, tally } = await send(journal, { streams: 2, window: 40 });
      expect(isDone).toBe(true);
      expectOneEach(count);
      expect(tally.applied + tally.repeated).toBe(count);
    }
    expect(resumed).toBeGreaterThan(0);
    expect(server.ledger.applied).toBe(count);
    expect(server.ledger.changed).toEqual([]);
  });
});
