import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WitnessedHead } from '../../../src/actors/ports/witness.ts';
import { behindWitness, lostSinceWitness } from '../../../src/actors/witness/witness-check.ts';
import { openWitness, readWitness, witnessPath } from '../../../src/actors/witness/witness-files.ts';
import {
  compacted,
  extentOf,
  formatLine,
  headsOf,
  parseLines,
  type WitnessLine,
} from '../../../src/actors/witness/witness-lines.ts';
import { SimWorld, settle } from '../../support/sim-world.ts';

const dayMs = 86_400_000;
const head = (sequence: number, atMs: number, lane = 0): WitnessedHead => ({
  system: 's',
  lane,
  sequence,
  head: sequence.toString(16).padStart(64, '0'),
  atMs,
});
const accepted = (what: string, atMs: number) => ({ accepted: what, by: 'ada', reason: 'a backup', atMs });
const lines = fc.array(
  fc.oneof(
    fc
      .record({ sequence: fc.nat(5000), atMs: fc.nat(60 * dayMs), lane: fc.nat(2) })
      .map((each) => head(each.sequence, each.atMs, each.lane)),
    fc
      .record({ what: fc.nat(2), atMs: fc.nat(60 * dayMs) })
      .map((each) => accepted(String(each.what), each.atMs)),
    fc.record({ revision: fc.nat(50), keys: fc.nat(9), atMs: fc.nat(60 * dayMs) }).map((each) => ({
      system: 's',
      table: 'DIRECTORY',
      ...each,
    })),
  ),
  { maxLength: 60 },
);

it('reads back what was written, and of torn and damaged lines nothing', () => {
  fc.assert(
    fc.property(lines, fc.nat(), (all, cut) => {
      const text = all.map(formatLine).join('');
      expect(parseLines(text)).toEqual(all);
      const torn = parseLines(text.slice(0, cut % (text.length + 1)));
      expect(torn).toEqual(all.slice(0, torn.length));
    }),
  );
  const text = formatLine(head(7, 1));
  expect(parseLines(text.replace('"sequence":7', '"sequence":8'))).toEqual([]);
});

it('tells the same after it was compacted, with a bounded number of lines', () => {
  fc.assert(
    fc.property(lines, (all) => {
      const kept = compacted(all, 60 * dayMs);
      for (const lane of [0, 1, 2]) {
        expect(headsOf(kept, lane).slice(-8)).toEqual(headsOf(all, lane).slice(-8));
        expect(headsOf(kept, lane).length).toBeLessThanOrEqual(8 + 41);
      }
      expect(extentOf(kept, 'DIRECTORY')).toEqual(extentOf(all, 'DIRECTORY'));
    }),
  );
});

it('an acceptance ends what was seen of that lane before it, and of no other', () => {
  const all: WitnessLine[] = [head(10, 1), head(20, 1, 1), accepted('0', 2), head(4, 3)];
  expect(headsOf(all, 0).map(({ sequence }) => sequence)).toEqual([4]);
  expect(behindWitness(0, 4, headsOf(all, 0))).toBeNull();
  expect(behindWitness(1, 19, headsOf(all, 1))?.code).toBe('log_behind_witness');
});

it('a beginning that is gone is a loss only where its messages were not old enough to leave', () => {
  const commands = {
    stream: 'CMD_0',
    firstSequence: 600,
    lastSequence: 900,
    messages: 301,
    maxAgeMs: 35 * dayMs,
  };
  const nowMs = 100 * dayMs;
  const mayLack = { maxAgeMs: 35 * dayMs };
  const seen = (ageDays: number) => [head(500, nowMs - ageDays * dayMs), head(800, nowMs - dayMs)];
  expect(lostSinceWitness(commands, seen(30), nowMs, mayLack)).toMatch(
    /^CMD_0 begins at 600, but messages behind 500/,
  );
  expect(lostSinceWitness(commands, seen(35), nowMs, mayLack)).toBeNull();
  expect(lostSinceWitness({ ...commands, firstSequence: 1 }, seen(30), nowMs, mayLack)).toBeNull();
  expect(lostSinceWitness(commands, [head(800, nowMs)], nowMs, mayLack)).toBeNull();
  expect(lostSinceWitness({ ...commands, maxAgeMs: 0 }, seen(90), nowMs, mayLack)).toMatch(/600/);
  // An age that somebody gave the stream, and not the settings.
  expect(lostSinceWitness({ ...commands, maxAgeMs: 1000 }, seen(30), nowMs, mayLack)).toMatch(/600/);
});

it('writes at most once a second whatever it is shown, and its file stays small', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'potstream-test-witness-'));
  try {
    const world = new SimWorld(1);
    const places = { dataDirectory, secondDirectory: null, host: 'host-1' };
    const witness = await openWitness(
      places,
      's',
      world.clock(() => true),
      (message) => {
        throw new Error(message);
      },
    );
    let sequence = 0;
    for (let second = 0; second < 2500; second += 1) {
      for (let lane = 0; lane < 4; lane += 1) {
        sequence += 1;
        witness.seen({ lane, sequence, head: 'a'.repeat(64), atMs: world.nowMs });
      }
      await world.passes(1000);
      await settle();
      await witness.written();
    }
    expect((await stat(witnessPath(dataDirectory))).size).toBeLessThan(1.2 * 1024 * 1024);
    const [newest] = headsOf(parseLines(await readFile(witnessPath(dataDirectory), 'utf8')), 3).slice(-1);
    expect(newest?.sequence).toBe(sequence);
  } finally {
    await rm(dataDirectory, { recursive: true });
  }
});

it('what cannot be written is one alarm until it can, and harms nobody', async () => {
  const world = new SimWorld(1);
  const alarms: string[] = [];
  const places = { dataDirectory: '/proc/nowhere', secondDirectory: null, host: 'host-1' };
  const witness = await openWitness(
    places,
    's',
    world.clock(() => true),
    (message) => alarms.push(message),
  );
  for (let sequence = 1; sequence < 4; sequence += 1) {
    witness.seen({ lane: 0, sequence, head: 'aa', atMs: 1 });
    await witness.written();
  }
  expect(alarms).toHaveLength(1);
});

it('hosts whose data lie at equal paths have files of their own in the second place, which each of them reads', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'potstream-test-witness-'));
  try {
    const clock = new SimWorld(1).clock(() => true);
    const secondDirectory = join(directory, 'second');
    // As containers have it: every host's data are at the same path of a volume of its own.
    const placesOf = (host: string) => ({ dataDirectory: join(directory, 'data'), secondDirectory, host });
    const hosts = ['actors-1', 'actors-2'];
    for (const [at, host] of hosts.entries()) {
      await mkdir(join(directory, 'data'));
      const witness = await openWitness(placesOf(host), 's', clock, (message) => {
        throw new Error(message);
      });
      witness.seen({ lane: 0, sequence: at + 1, head: 'aa', atMs: 1 });
      await witness.stop();
      await rm(join(directory, 'data'), { recursive: true });
    }
    expect((await readdir(secondDirectory)).sort()).toEqual(['s.actors-1.heads', 's.actors-2.heads']);
    const seen = headsOf(await readWitness(placesOf('actors-3'), ['s']), 0);
    expect(seen.map(({ sequence }) => sequence)).toEqual([1, 2]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
