import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { saw } from '../jackpot/checks/scale.ts';
import { administratorOf, instanceOf } from '../sdk/support/practice.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';
import { Memory } from './send/memory.ts';
import { atomsOf, Books, contributedAtoms, header, rowOf, seedless, wagerCents } from './send/rounds.ts';
import { SendProcess } from './send/send-process.ts';

/**
 * `npm run checks -- stream-million`: a file of many contributions goes through `potstream send` while it is killed and started
 * again ten times and roles of the system are killed five times. POTSTREAM_STREAM_LINES is the number of lines.
 */
const lines = Number(process.env.POTSTREAM_STREAM_LINES ?? 10_000_000);
const players = 100_000;
const clientEnds = 10;
const roleEnds = ['gateway', 'actors', 'nats-server', 'gateway', 'actors'] as const;
const pollMs = 100;

let system: RunningSystem;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'potstream-stream-million-'));
  system = await startSystem({ args: ['--no-traffic'] });
});
afterAll(async () => {
  await system?.stop();
  await rm(directory, { recursive: true, force: true });
});

it(`answers ${lines.toLocaleString('en')} lines exactly once, whatever is killed`, async () => {
  const instance = await instanceOf(await administratorOf(system), seedless, 'Million');
  const books = new Books(system, instance);
  const file = join(directory, 'rounds.csv');
  const results = join(directory, 'results');
  const expected = await writeRounds(file, instance);
  const memory = new Memory(system);
  const sending = new SendProcess(file, results, { POTSTREAM_DATA: system.dataDirectory });
  const beganMs = performance.now();
  memory.start(() => sending.pid);
  sending.start();
  for (const { at, end } of plan()) {
    while (sending.answered() < at && sending.isRunning) await pause(pollMs);
    // It may be through before the last of them.
    if (!sending.isRunning) break;
    await end(sending);
  }
  const { code, stderr, report } = await sending.end();
  const seconds = (performance.now() - beganMs) / 1000;
  await system.ready();
  memory.stop();
  expect(code, stderr).toBe(0);
  expect(sending.ends).toBe(clientEnds);
  expect(report.applied + report.repeated).toBe(lines);
  expect(report.refused).toEqual({});

  const found = await checkResults(results);
  expect(found).toEqual({ results: lines, doubled: 0, refused: 0, sum: expected });
  const { applied, repeated } = report.contributed.EUR!;
  expect(atomsOf(applied) + atomsOf(repeated)).toBe(expected);
  expect(await books.now()).toEqual({ contributions: lines, paid: -expected, sum: 0n });
  saw('stream of contributions', {
    lines,
    'ends of the client': sending.ends,
    'ends of roles': roleEnds.length,
    repeats: report.repeated,
    'lines a second, with all interruptions': Math.round(lines / seconds),
  });
  console.info(memory.text());
});

interface Event {
  readonly at: number;
  readonly end: (sending: SendProcess) => Promise<void>;
}

/** Spread over the run: the client's ends, every other one by Ctrl-C, and between them those of roles. */
function plan(): readonly Event[] {
  const clients = Array.from({ length: clientEnds }, (_, index): Event => {
    const signal = index % 2 === 0 ? 'SIGKILL' : 'SIGINT';
    return { at: ((index + 0.5) / clientEnds) * lines * 0.95, end: (sending) => sending.restart(signal) };
  });
  const roles = roleEnds.map(
    (role, index): Event => ({
      at: ((index + 0.75) / roleEnds.length) * lines * 0.95,
      end: () => system.kill(role),
    }),
  );
  return [...clients, ...roles].sort((one, other) => one.at - other.at);
}

/** Returns what all rows contribute, in atoms. */
async function writeRounds(file: string, instance: string): Promise<bigint> {
  const output = createWriteStream(file);
  output.write(`${header}\n`);
  let sum = 0n;
  let chunk = '';
  for (let number = 0; number < lines; number += 1) {
    chunk += `${rowOf(instance, number, players)}\n`;
    sum += contributedAtoms(wagerCents(number));
    if (chunk.length < 1_000_000 && number < lines - 1) continue;
    if (!output.write(chunk)) await new Promise<void>((resolve) => output.once('drain', () => resolve()));
    chunk = '';
  }
  await new Promise<void>((resolve) => output.end(() => resolve()));
  return sum;
}

/** What the results say; a bit for each line of the input says whether it was seen. */
async function checkResults(
  path: string,
): Promise<{ results: number; doubled: number; refused: number; sum: bigint }> {
  const seen = new Uint8Array(Math.ceil((lines + 2) / 8));
  let results = 0;
  let doubled = 0;
  let refused = 0;
  let sum = 0n;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const { line, status, results: each = [] } = JSON.parse(text);
    const [place, bit] = [line >> 3, 1 << (line & 7)];
    if (line < 2 || line > lines + 1) throw new Error(`There is no line ${line}.`);
    if ((seen[place]! & bit) !== 0) doubled += 1;
    seen[place]! |= bit;
    results += 1;
    if (status === 'refused') refused += 1;
    for (const { contribution_amount } of each) sum += atomsOf(contribution_amount);
  }
  return { results, doubled, refused, sum };
}
