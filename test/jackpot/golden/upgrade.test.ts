import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createLane,
  type EngineMessage,
  type LaneEngine,
  type MessageOutcome,
  restoreLane,
} from '../../../src/jackpot/lane/lane.ts';
import {
  type EngineVersions,
  engineVersions,
  handlersOf,
  UnsupportedEngineVersion,
} from '../../../src/jackpot/lane/versions/versions.ts';
import { finish } from '../../../src/lib/turns.ts';
import type { LoggedCommand } from '../../../src/messages/commands.ts';
import { withNextVersion } from '../../support/next-engine.mjs';
import { testHashing } from '../support/hashing.ts';
import { readLog } from './log.ts';

const settings = { epochMs: 10_000_000, epochSequences: 200 };
/** The version whose handlers the log was written under, and one more. */
const first: EngineVersions = new Map([[1, handlersOf(engineVersions, 1)]]);
const twoVersions = withNextVersion(first);
const golden = readLog(new URL('./log.bin.gz', import.meta.url)).slice(0, 900);
/** An upgrade to the version that the lane has: in the log below it leads to the next one. */
const upgradeAt = golden.findIndex(
  ({ sequence, commands }) => sequence > 300 && commands.some(({ kind }) => kind === 'UpgradeTo'),
);
const upgraded = golden.map((message, index) =>
  index === upgradeAt ? { ...message, commands: message.commands.map(toNext) } : message,
);

describe('a log with an upgrade in the middle', () => {
  const before = play(golden, first);
  const after = play(upgraded, twoVersions);

  it('means what it always meant before the upgrade, in a build that has both versions', () => {
    expect(play(golden, twoVersions).outcomes).toEqual(before.outcomes);
    expect(after.outcomes.slice(0, upgradeAt)).toEqual(before.outcomes.slice(0, upgradeAt));
  });

  it('means what the version says behind it', () => {
    const changed = [...golden.keys()].filter((index) => after.outcomes[index] !== before.outcomes[index]);
    expect(changed[0]).toBe(upgradeAt);
    expect(changed.length).toBeGreaterThan(50);
    expect(after.lane.engineVersion).toBe(2);
  });

  it('goes on from a snapshot under the version that it carries, and a build without it refuses the snapshot', () => {
    const middle = upgradeAt + 40;
    const { lane } = play(upgraded.slice(0, middle), twoVersions);
    const snapshot = [...lane.snapshot()];
    const restored = finish(restoreLane(snapshot, testHashing, settings, twoVersions));
    expect(restored.engineVersion).toBe(2);
    const rest = upgraded.slice(middle).map((message) => digest(restored.apply(message)));
    expect(rest).toEqual(after.outcomes.slice(middle));
    expect(() => finish(restoreLane(snapshot, testHashing, settings, first))).toThrow(
      UnsupportedEngineVersion,
    );
  });

  it('ends at the upgrade for a build without the version, by name', () => {
    const lane = createLane(testHashing, settings, first);
    for (const message of upgraded.slice(0, upgradeAt)) lane.apply(message);
    expect(() => lane.apply(upgraded[upgradeAt]!)).toThrow(
      'The lane runs version 2 of the engine. This host runs 1.',
    );
    expect(lane.engineVersion).toBe(1);
  });
});

describe('UpgradeTo', () => {
  it('leads to the next version, never back, and every build refuses what lies beyond', () => {
    const lane = createLane(testHashing, settings, withNextVersion(twoVersions));
    const versions = [1, 3, 2, 2, 1, 0, 3, 5, 2 ** 52, -1, 1.5, Number.NaN];
    const outcomes = versions.map((version) => applied(lane, upgradeTo(version)));
    expect(outcomes).toEqual([1, 'refused', 2, 2, 2, 2, 3, ...Array(5).fill('refused')]);
    const old = createLane(testHashing, settings, first);
    expect(applied(old, upgradeTo(3))).toBe('refused');
    expect(applied(old, upgradeTo(2 ** 40))).toBe('refused');
  });

  it('decides from the next command of its message on', () => {
    const lane = createLane(testHashing, settings, twoVersions);
    lane.apply({ sequence: 1, timestampMs: 1, commands: [upgradeTo(2), upgradeTo(1)] });
    expect(lane.engineVersion).toBe(2);
  });
});

it('the versions of this build have no gaps and begin with the first', () => {
  expect([...engineVersions.keys()]).toEqual(Array.from({ length: engineVersions.size }, (_, at) => at + 1));
  for (const version of engineVersions.keys()) expect(handlersOf(engineVersions, version)).toBeDefined();
});

function toNext(command: LoggedCommand): LoggedCommand {
  return command.kind === 'UpgradeTo' ? upgradeTo(2) : command;
}

function upgradeTo(version: number) {
  return { kind: 'UpgradeTo', version } as const;
}

function applied(lane: LaneEngine, command: ReturnType<typeof upgradeTo>): number | 'refused' {
  const message = { sequence: lane.appliedSequence + 1, timestampMs: 1, commands: [command] };
  const [outcome] = lane.apply(message).outcomes;
  return outcome?.kind === 'Done' ? outcome.version : 'refused';
}

function play(messages: readonly EngineMessage[], versions: EngineVersions) {
  const lane = createLane(testHashing, settings, versions);
  return { lane, outcomes: messages.map((message) => digest(lane.apply(message))) };
}

/** Of everything that the engine says of a message. */
function digest({ outcomes, events, work, instances }: MessageOutcome): string {
  const text = JSON.stringify([outcomes, events, work, instances], (_, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  });
  return createHash('sha256').update(text).digest('hex');
}
