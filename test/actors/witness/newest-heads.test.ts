import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ActorPorts } from '../../../src/actors/ports/actor-ports.ts';
import type { Witness } from '../../../src/actors/ports/witness.ts';
import { LaneWitness } from '../../../src/actors/witness/lane-witness.ts';
import {
  appendEverywhere,
  openWitness,
  readWitness,
  witnessPath,
} from '../../../src/actors/witness/witness-files.ts';
import { headsOf } from '../../../src/actors/witness/witness-lines.ts';
import { toHex } from '../../../src/lib/bytes.ts';
import { SimWorld } from '../../support/sim-world.ts';

let places: { readonly dataDirectory: string; readonly secondDirectory: null; readonly host: string };
let world: SimWorld;
let witness: Witness & { stop(): Promise<void> };
const alarms: string[] = [];

beforeEach(async () => {
  places = { dataDirectory: mkdtempSync(join(tmpdir(), 'newest-')), secondDirectory: null, host: 'a' };
  world = new SimWorld(1);
  witness = await open();
});
afterEach(async () => {
  await witness.stop();
  rmSync(places.dataDirectory, { recursive: true });
  expect(alarms.splice(0)).toEqual([]);
});

const open = () => openWitness(places, 'system', world.clock(alive), (message) => alarms.push(message));
const alive = () => true;
const headAt = (sequence: number) => new Uint8Array(32).fill(sequence % 256);

/** A lane of which so much is applied and stored. */
class Lane {
  appliedSequence = 0;
  storedOutcome = 0;
  readonly lane: number;
  readonly witness: LaneWitness;

  constructor(lane: number) {
    this.lane = lane;
    const ports = { clock: world.clock(alive), witness } as unknown as ActorPorts;
    this.witness = new LaneWitness(this as never, () => this.storedOutcome, ports);
    this.witness.start();
  }
  get laneHead(): Uint8Array {
    return headAt(this.appliedSequence);
  }
  stores(sequence: number): void {
    this.storedOutcome = sequence;
    this.witness.stored();
  }
}

/** Until a new process would read this head of the lane as its newest. While the disk writes, hardly any time passes. */
async function untilOnDisk(lane: number, sequence: number): Promise<void> {
  await vi.waitFor(async () => {
    await world.passes(1);
    const found = headsOf(await readWitness(places, ['system']), lane).at(-1);
    expect(found).toMatchObject({ sequence, head: toHex(headAt(sequence)) });
  }, 60_000);
}

const newest = () => join(places.dataDirectory, 'witness', 'newest');

it('a head is written with its record, long before the second is over', async () => {
  const lanes = [new Lane(0), new Lane(3)] as const;
  for (const sequence of [1, 2, 300]) {
    for (const lane of lanes) {
      lane.appliedSequence = sequence;
      lane.stores(sequence);
    }
    for (const { lane } of lanes) await untilOnDisk(lane, sequence);
  }
  expect(existsSync(witnessPath(places.dataDirectory))).toBe(false);
  expect(readFileSync(newest()).length).toBe(4 * 256);
});

it('while more is applied than stored, the last head that is known to be stored is written', async () => {
  const lane = new Lane(0);
  lane.appliedSequence = 5;
  lane.stores(2);
  await world.passes(10);
  lane.appliedSequence = 9;
  lane.stores(7);
  await untilOnDisk(0, 5);
  lane.stores(9);
  await untilOnDisk(0, 9);
});

it('what a process wrote stays until the next one has more of the lane', async () => {
  for (const number of [0, 1, 2]) {
    const lane = new Lane(number);
    lane.appliedSequence = 4;
    lane.stores(4);
  }
  await untilOnDisk(2, 4);
  await witness.stop();
  rmSync(witnessPath(places.dataDirectory));
  witness = await open();
  expect(witness.heads(1).map(({ sequence }) => sequence)).toEqual([4]);
  const lane = new Lane(2);
  lane.appliedSequence = 6;
  lane.stores(6);
  await untilOnDisk(2, 6);
  await untilOnDisk(0, 4);
  await untilOnDisk(1, 4);
});

it('heads count behind what somebody accepted, by whatever clock', async () => {
  await witness.stop();
  await appendEverywhere(places, { accepted: '0', by: 'ada', reason: 'r', atMs: world.nowMs + 3_600_000 });
  witness = await open();
  const lane = new Lane(0);
  lane.appliedSequence = 8;
  lane.stores(8);
  await untilOnDisk(0, 8);
});
