import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createLane, type EngineMessage, type MessageOutcome } from '../../../src/jackpot/lane/lane.ts';
import { MixedRun } from '../mixed/run.ts';
import { testHashing } from '../support/hashing.ts';
import { newestEngine } from '../support/new-lane.ts';
import { readLog, type WrittenMessage, writeLog } from './log.ts';

const commandCount = 12_000;
const checkpoint = 500;
const settings = { epochMs: 10_000_000, epochSequences: 200 };
const fileOf = (name: string): URL => new URL(`./${name}`, import.meta.url);

/**
 * A log of each version of the engine; those beyond the first begin with the upgrade. The same log must give the same bytes
 * for as long as any log holds its commands. If this test fails, the engine (or the codec of commands) has changed what logged
 * commands mean. That is a new engine version: keep the old rules for logs up to an `UpgradeTo` of it, and add a golden log
 * here. `node scripts/golden.mjs` makes the newest one anew, until it is released.
 */
it.each(Array.from({ length: newestEngine }, (_, index) => index + 1))(
  'the golden log of version %i has every kind of command and gives the heads, outcomes and balances that it always gave',
  {
    timeout: 300_000,
  },
  (version) => {
    const suffix = version === 1 ? '' : `-${version}`;
    const logFile = fileOf(`log${suffix}.bin.gz`);
    const goldenFile = fileOf(`golden${suffix}.json`);
    if (process.env.POTSTREAM_WRITE_GOLDEN === '1' && version === newestEngine) {
      const messages = newLog();
      writeLog(logFile, messages);
      writeFileSync(goldenFile, `${JSON.stringify(play(messages), null, 2)}\n`);
    }
    expect(existsSync(logFile)).toBe(true);
    expect(play(readLog(logFile))).toEqual(JSON.parse(readFileSync(goldenFile, 'utf8')));
  },
);

function newLog(): readonly WrittenMessage[] {
  const run = new MixedRun(2026, { settings });
  run.lane.engine = createLane(testHashing, settings);
  const upgrades = Array.from(
    { length: newestEngine - 1 },
    (_, index) => ({ kind: 'UpgradeTo', version: index + 2 }) as const,
  );
  run.apply([...upgrades, ...run.begin()]);
  while (run.commands < commandCount) run.apply(run.next());
  return run.lane.log;
}

function play(messages: readonly EngineMessage[]) {
  const lane = createLane(testHashing, settings);
  const kinds = new Map<string, number>();
  const outcomes = createHash('sha256');
  const checkpoints: unknown[] = [];
  let commands = 0;
  for (const message of messages) {
    outcomes.update(JSON.stringify(withoutViews(lane.apply(message)), plain));
    for (const { kind } of message.commands) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const before = Math.floor(commands / checkpoint);
    commands += message.commands.length;
    if (Math.floor(commands / checkpoint) === before) continue;
    checkpoints.push({
      commands,
      lane: headOf([...lane.instances()].map((id) => lane.liveValues(id)!.head)),
    });
  }
  const ids = [...lane.instances()];
  return {
    commands,
    messages: messages.length,
    kinds: Object.fromEntries([...kinds].sort()),
    outcomes: outcomes.digest('hex'),
    checkpoints,
    heads: Object.fromEntries(ids.map((id) => [id, Buffer.from(lane.liveValues(id)!.head).toString('hex')])),
    accounts: Object.fromEntries(ids.map((id) => [id, balancesOf(lane.accounts(id)!)])),
  };
}

/** One head for the lane: those of its instances in order of creation, hashed together. */
function headOf(heads: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const head of heads) hash.update(head);
  return hash.digest('hex');
}

function balancesOf(accounts: readonly (readonly [name: string, atoms: bigint])[]) {
  const filled = accounts.filter(([, atoms]) => atoms !== 0n);
  return Object.fromEntries(filled.map(([name, atoms]) => [name, String(atoms)]));
}

/** Events show the state and may gain members; what they are counted by, and outcomes, are what the log's commands mean. */
function withoutViews({ sequence, outcomes, events, work, streamKeys }: MessageOutcome): unknown {
  const told = events.map((event) => [event.kind, 'counter' in event ? event.counter : null]);
  // No member where a message named no keys: digests of earlier versions have none.
  return { sequence, outcomes, told, work: work.map(({ kind }) => kind), streamKeys };
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
