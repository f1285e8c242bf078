import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Conduct,
  refuse,
  type StreamServer,
  serve,
  startStreamServer,
} from '../../sdk/support/stream-server.ts';

/** The real command as a process, against a server of streams. */
const repository = resolve(import.meta.dirname, '../../..');
const patience = { timeout: 60_000, interval: 5 };
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

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [join(repository, 'bin/potstream'), 'send', ...args], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      POTSTREAM_SERVICE_URL: server.baseUrl,
      POTSTREAM_SERVICE_USERNAME: 'service',
      POTSTREAM_SERVICE_PASSWORD: 'a long password',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  return { child, ended: new Promise((done) => child.once('close', (code) => done({ code, ...said }))) };
}

const send = (...args: readonly string[]) => start(args).ended;

function writeCsv(rows: number): void {
  const header = 'target.type,target.id,source.type,source.id,operator_id,player.id,base_wager.value';
  const lines = Array.from(
    { length: rows },
    (_, row) => `instance,gold,gameround,g-${row},acme,p-${row % 9},1.00`,
  );
  writeFileSync(at('rounds.csv'), `${[header, ...lines].join('\n')}\n`);
}

const numbersOf = (name: string) =>
  readFileSync(at(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).line as number)
    .toSorted((a, b) => a - b);
/** The first line is the header. */
const rowNumbers = (rows: number) => Array.from({ length: rows }, (_, row) => row + 2);

/** A server that takes its time: a thousand lines are a second. */
const slow: Conduct = async ({ lines, write, ledger }) => {
  for await (const line of lines()) {
    write(ledger.apply(line));
    if (line.number % 20 === 0) await pause(20);
  }
};

/** Answers 201 lines, and takes no more of this stream. */
const held: Conduct = async ({ lines, write, ledger }) => {
  for await (const line of lines()) {
    write(ledger.apply(line));
    if (line.number > 200) await new Promise(() => {});
  }
};

describe('potstream send', () => {
  it('sends, reports, and does not send a finished file again', async () => {
    server = await startStreamServer(serve);
    writeCsv(1_000);
    const { code, stdout, stderr } = await send('rounds.csv', '--results', 'results');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rounds\.csv: every line is answered\n/);
    expect(stdout).toMatch(/^applied +1,000$/m);
    expect(stdout).toMatch(/^EUR +12345678901123\.456745 /m);
    expect(numbersOf('results')).toEqual(rowNumbers(1_000));
    const again = await send('rounds.csv', '--results', 'results', '--json');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('is sent already') });
    expect(JSON.parse(again.stdout)).toMatchObject({ finished: true, applied: 1_000, repeated: 0 });
    expect(server.received).toHaveLength(1_000);
  });

  it('says with its exit code that lines were refused, and which', async () => {
    server = await startStreamServer(async ({ lines, write, ledger }) => {
      const error = { status_code: 404, code: 'jackpot_not_found', message: 'No.' };
      for await (const line of lines())
        write(line.number % 10 === 0 ? JSON.stringify({ ref: line.ref, error }) : ledger.apply(line));
    });
    writeCsv(50);
    const { code, stdout } = await send('rounds.csv');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^jackpot_not_found +5 +11, 21, 31, 41, 51$/m);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('goes on after %s', async (signal) => {
    server = await startStreamServer(slow);
    writeCsv(1_500);
    const args = ['rounds.csv', '--results', 'results', '--window', '100'];
    const first = start(args);
    await vi.waitUntil(() => server.ledger.applied > 300, patience);
    first.child.kill(signal);
    const interrupted = await first.ended;
    expect(interrupted.code).toBe(130);
    expect(interrupted.stdout).toMatch(/not finished; the same command goes on/);
    const answered = numbersOf('results').length;
    expect(answered).toBeLessThan(1_500);
    // What was under way has been waited for.
    expect(answered).toBe(server.ledger.applied);
    const { code, stdout } = await send(...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^applied +1,500$/m);
    expect(numbersOf('results')).toEqual(rowNumbers(1_500));
    expect(server.received).toHaveLength(1_500);
  });

  it('goes on after kill -9, as often as that happens', async () => {
    server = await startStreamServer(slow);
    writeCsv(3_000);
    const args = ['rounds.csv', '--results', 'results', '--window', '100', '--streams', '2'];
    for (const until of [1, 900, 1_300, 2_600]) {
      const running = start(args);
      await vi.waitUntil(() => server.ledger.applied >= until, patience);
      await pause(until % 7);
      running.child.kill('SIGKILL');
      expect((await running.ended).code).toBe(null);
    }
    const { code, stdout, stderr } = await send(...args, '--json');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const { applied, repeated, contributed } = JSON.parse(stdout);
    expect(applied + repeated).toBe(3_000);
    expect(repeated).toBeGreaterThan(0);
    expect(Object.keys(contributed)).toEqual(['EUR']);
    expect(numbersOf('results')).toEqual(rowNumbers(3_000));
    expect(server.ledger.applied).toBe(3_000);
    expect(server.ledger.changed).toEqual([]);
    expect(existsSync(at('rounds.csv.sending.lock'))).toBe(false);
  });

  it('fails with the reason, and says how to go on', async () => {
    server = await startStreamServer(refuse(403, 'forbidden'));
    writeCsv(5);
    const { code, stderr, stdout } = await send('rounds.csv');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Not finished: forbidden: /m);
    expect(stdout).toMatch(/the same command goes on/);
  });

  it('refuses what would not be the same run', async () => {
    server = await startStreamServer(refuse(403, 'forbidden'));
    writeCsv(5);
    await send('rounds.csv', '--results', 'results');
    expect(await send('rounds.csv', '--results', 'other')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--results'),
    });
    expect(await send('rounds.csv', '--results', 'results', '--batch', 'b')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--batch'),
    });
    writeCsv(6);
    expect(await send('rounds.csv', '--results', 'results')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('content of the file'),
    });
    rmSync(at('rounds.csv.sending'));
    expect(await send('rounds.csv', '--results', 'results')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exists already'),
    });
  });

  it('refuses a second process, and lines whose keys may be forgotten', async () => {
    server = await startStreamServer(held, serve);
    writeCsv(2_000);
    const running = start(['rounds.csv', '--window', '50']);
    await vi.waitUntil(() => server.ledger.applied > 200, patience);
    expect(await send('rounds.csv')).toMatchObject({ code: 2, stderr: expect.stringMatching(/is sending/) });
    running.child.kill('SIGKILL');
    await running.ended;
    const journal = JSON.parse(readFileSync(at('rounds.csv.sending'), 'utf8'));
    journal.writtenMs -= 24 * 3_600_000;
    writeFileSync(at('rounds.csv.sending'), JSON.stringify(journal));
    expect(await send('rounds.csv')).toMatchObject({ code: 2, stderr: expect.stringMatching(/23 hours/) });
    expect((await send('rounds.csv', '--late')).code).toBe(0);
    expect(server.ledger.applied).toBe(2_000);
  });

  it('says what it lacks', async () => {
    server = await startStreamServer(serve);
    writeCsv(1);
    const without = (changes: Readonly<Record<string, string>>) => start(['rounds.csv'], changes).ended;
    expect(await without({ POTSTREAM_SERVICE_USERNAME: '' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('POTSTREAM_SERVICE_USERNAME'),
    });
    expect(await without({ POTSTREAM_SERVICE_PASSWORD: '' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('POTSTREAM_SERVICE_PASSWORD'),
    });
    expect(await send('nothing.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/nothing\.csv/),
    });
    expect(await send('rounds.csv', '--window', '0')).toMatchObject({ code: 2 });
  });
});
