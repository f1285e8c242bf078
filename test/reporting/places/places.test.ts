import { describe, expect, it } from 'vitest';
import { exactJson } from '../../../console/src/api/exact-json.ts';
import { instanceView } from '../../../src/contracts/jackpots/instance-view.ts';
import { instanceAtShape } from '../../../src/contracts/reports/instance-history.ts';
import type { PlaceQuestion } from '../../../src/contracts/reports/questions.ts';
import { toHex } from '../../../src/lib/bytes.ts';
import { writeJson } from '../../../src/lib/json.ts';
import { formatAmount } from '../../../src/lib/money.ts';
import { withLaneHead } from '../../../src/messages/codec/record-head.ts';
import { reportingLimits } from '../../../src/reporting/base/limits.ts';
import { LanePlaces } from '../../../src/reporting/places/places.ts';
import { answerPlace } from '../../../src/reporting/places/shown.ts';
import { type ReplayDocument, replayInstance } from '../../../tools/replay/run.ts';
import { Random } from '../../jackpot/mixed/random.ts';
import { MixedRun } from '../../jackpot/mixed/run.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { enginesOn, lane, RecordedLane } from '../books/recorded-lane.ts';
import { RecordedLog } from '../support/recorded-log.ts';

const commands = 900;
const still = { elapsedMs: () => 0 };

function historyOf(seed: number): MixedRun {
  const run = new MixedRun(seed);
  run.apply(run.begin());
  while (run.commands < commands) run.apply(run.next());
  return run;
}

const run = historyOf(7);
const length = run.lane.log.length;
const kept = [0.3, 0.6, 0.9].map((part) => Math.floor(length * part));

function placesOf(log: RecordedLog, clock: { elapsedMs(): number } = still, limits = {}): LanePlaces {
  return new LanePlaces({ ...log.ports, clock }, { ...reportingLimits, ...limits });
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the body says.
async function shown(places: LanePlaces, instance: string, moment: PlaceQuestion['moment']): Promise<any> {
  const answer = await answerPlace(places, { kind: 'at', lane, instance, moment });
  return answer.kind === 'found' ? JSON.parse(exactJson(answer.body)) : answer;
}

const at = (sequence: number) => ({ kind: 'message', sequence }) as const;

describe('an instance at each tenth place of a random history', () => {
  it('is what its owner had then, in any order of the places, with accounts that sum to zero', async () => {
    const log = RecordedLog.of(run, kept);
    // Always time for a copy: places before others are reached from them.
    let nowMs = 0;
    const places = placesOf(log, { elapsedMs: () => (nowMs += 300) }, { placeWithinMs: 1e9 });
    const owner = new RecordedLane();
    const expected = new Map<number, ReadonlyMap<string, string>>();
    for (const { commands: each, timestampMs } of run.lane.log) {
      owner.apply(each, timestampMs);
      const { appliedSequence: sequence, engine } = owner.replica;
      if (sequence % 10 !== 0 && sequence !== length) continue;
      const states = run.instances.map((id) => {
        const described = engine.describe(id);
        if (described === null) return [id, 'missing'] as const;
        const accounts = Object.fromEntries(engine.accounts(id)!);
        const { sequence: instance_sequence, head } = described;
        const state = { instance: instanceView(described), accounts, instance_sequence, head: toHex(head) };
        return [id, writeJson(state)] as const;
      });
      expected.set(sequence, new Map(states));
    }
    expect(expected.size).toBeGreaterThan(15);
    const random = new Random(1);
    const shuffled = [...expected].map((each) => ({ each, at: random.below(1_000_000) }));
    for (const { each: place } of shuffled.sort((one, other) => one.at - other.at)) {
      const [sequence, states] = place;
      for (const [id, text] of states) {
        const found = await shown(places, id, at(sequence));
        if (text === 'missing') {
          expect(found).toMatchObject({ kind: 'missing' });
          continue;
        }
        const { lane: of, sequence: behind, timestamp, oldest, sum, ...state } = found;
        expect([of, behind, oldest, sum]).toEqual([lane, sequence, null, 0]);
        expect(timestamp).toBe(run.lane.log[sequence - 1]!.timestampMs);
        expect(state).toEqual(JSON.parse(exactJson(text)));
      }
    }
  });

  it('is what potstream replay says, by message and by time', async () => {
    const log = RecordedLog.of(run, kept);
    const places = placesOf(log);
    const [instance = ''] = run.instances;
    for (let sequence = 10; sequence <= length; sequence += 10) {
      const document = await replayed(log, instance, sequence);
      const bySequence = await shown(places, instance, at(sequence));
      if (document === null) {
        expect(bySequence).toMatchObject({ kind: 'missing' });
        continue;
      }
      expect(replayFieldsOf(bySequence)).toEqual(
        Object.fromEntries(
          Object.keys(replayFieldsOf(bySequence)).map((name) => [
            name,
            (document.at as unknown as Record<string, unknown>)[name],
          ]),
        ),
      );
      const { timestampMs: timeMs } = run.lane.log[sequence - 1]!;
      const byTime = await shown(places, instance, { kind: 'time', timeMs });
      const newest = run.lane.log.findLastIndex((each) => each.timestampMs <= timeMs) + 1;
      expect(byTime).toEqual(newest === sequence ? bySequence : await shown(places, instance, at(newest)));
    }
  });

  it('is the newest one without a place, and the one before a time that no message has', async () => {
    const log = RecordedLog.of(run);
    const places = placesOf(log);
    const instance = run.instances.at(-1)!;
    const newest = await shown(places, instance, null);
    expect(newest.sequence).toBe(length);
    expect(newest).toEqual(await shown(places, instance, { kind: 'time', timeMs: Date.UTC(2100, 0) }));
    expect(await shown(places, instance, at(length + 1))).toMatchObject({ kind: 'ahead', last: length });
    expect(await shown(places, instance, { kind: 'time', timeMs: 5 })).toMatchObject({ kind: 'missing' });
    expect(await shown(places, 'nobody', null)).toMatchObject({ kind: 'missing' });
    // A bigint of the shape is an exact number of the body.
    expect(Object.keys(newest)).toEqual(Object.keys(instanceAtShape.shape));
  });
});

async function replayed(log: RecordedLog, instance: string, message: number): Promise<ReplayDocument | null> {
  const system = {
    ...{ log: log.log, lanes: lane + 1, maxAgeMs: 0, stores: [], hashing: testHashing },
    engines: enginesOn(testHashing),
  };
  const written: string[] = [];
  const choices = { instance, moment: at(message), lane, json: true };
  const code = await replayInstance(system, choices, {
    write: (text) => void written.push(text),
    print: () => {},
  });
  return code === 0 ? (JSON.parse(written.join('')) as ReplayDocument) : null;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the body says.
function replayFieldsOf({ sequence, timestamp, instance_sequence, head, instance, accounts }: any) {
  const decimal = (value: number | string) => String(value);
  return {
    message: sequence,
    timestamp: new Date(timestamp).toISOString(),
    sequence: instance_sequence,
    head,
    status: instance.status,
    version: instance.version,
    total_contributions: instance.total_contributions,
    last_updated: new Date(instance.last_updated).toISOString(),
    'house.current': decimal(accounts.house),
    'house.accumulated_seed_deficit': decimal(instance.house_pot.accumulated_seed_deficit),
    ...Object.fromEntries(
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      instance.pots.flatMap((pot: any) => [
        [`pots.${pot.id}.current`, decimal(pot.current_value)],
        [`pots.${pot.id}.seed`, decimal(accounts[`${pot.id}.seed`])],
        [`pots.${pot.id}.surplus`, decimal(pot.surplus_seed)],
        [`pots.${pot.id}.carry`, decimal(accounts[`${pot.id}.carry`])],
        [`pots.${pot.id}.instance_count`, pot.instance_count],
        [`pots.${pot.id}.total_contributions`, pot.total_contributions],
      ]),
    ),
  };
}

describe('what one question may cost', () => {
  it('a place that is too far is refused with how far it came, and reached by asking again', async () => {
    const log = RecordedLog.of(run);
    let nowMs = 0;
    const places = placesOf(log, { elapsedMs: () => (nowMs += 100) });
    const [instance = ''] = run.instances;
    const reached: number[] = [];
    let found = await shown(places, instance, null);
    while (found.kind === 'too_far') {
      reached.push(found.reached.sequence);
      found = await shown(places, instance, null);
    }
    expect(reached.length).toBeGreaterThan(3);
    expect(reached).toEqual([...reached].sort((one, other) => one - other));
    expect(new Set(reached).size).toBe(reached.length);
    expect(found.sequence).toBe(length);
    // Once there, a place a little before is near: a copy was left behind on the way.
    log.reads = 0;
    expect((await shown(places, instance, at(length - 3))).sequence).toBe(length - 3);
    expect(log.reads).toBeLessThan(length);
  });

  it('steps of a slider replay what lies between them', async () => {
    const log = RecordedLog.of(run);
    const places = placesOf(log);
    const [instance = ''] = run.instances;
    await shown(places, instance, at(length - 50));
    log.reads = 0;
    for (let sequence = length - 49; sequence <= length; sequence += 1)
      expect((await shown(places, instance, at(sequence))).sequence).toBe(sequence);
    // A page of each stream, and the record whose head is compared.
    expect(log.reads).toBeLessThan(50 * (2 * 52));
  });

  it('copies have the room that they may have, and no more', async () => {
    const log = RecordedLog.of(run);
    let nowMs = 0;
    const clock = { elapsedMs: () => (nowMs += 60) };
    const none = placesOf(log, clock, { placeCopiesBytes: 0, placeWithinMs: 1e9 });
    const [instance = ''] = run.instances;
    await shown(none, instance, null);
    log.reads = 0;
    await shown(none, instance, at(length - 1));
    // From the beginning: both streams whole.
    expect(log.reads).toBeGreaterThanOrEqual(2 * (length - 1));
    const some = placesOf(log, clock, { placeWithinMs: 1e9 });
    await shown(some, instance, null);
    log.reads = 0;
    await shown(some, instance, at(length - 1));
    expect(log.reads).toBeLessThan(50);
  });
});

describe('what log and archive do not have', () => {
  const [first = 0, second = 0] = kept;
  const instance = run.instances[0]!;

  it('is refused with the oldest place, by sequence and by time', async () => {
    const log = RecordedLog.of(run, kept);
    log.first = first + 2;
    const places = placesOf(log);
    const oldest = { sequence: second, timestamp: run.lane.log[second - 1]!.timestampMs };
    const refused = { kind: 'not_kept', oldest };
    expect(await shown(places, instance, at(second - 1))).toMatchObject(refused);
    const timeMs = run.lane.log[first]!.timestampMs;
    expect(await shown(places, instance, { kind: 'time', timeMs })).toMatchObject(refused);
    expect(await shown(places, instance, at(second))).toMatchObject({ sequence: second, oldest });
    log.first = first + 1;
    // A snapshot leads to the place of its own message, which may be gone.
    const whole = await shown(placesOf(RecordedLog.of(run)), instance, at(first));
    expect(await shown(placesOf(log), instance, at(first))).toEqual({
      ...whole,
      oldest: { sequence: first, timestamp: run.lane.log[first - 1]!.timestampMs },
    });
  });

  it('may leave while somebody replays it: that question fails, and the next one is refused', async () => {
    const log = RecordedLog.of(run, kept);
    const places = placesOf(log);
    log.reading = () => {
      log.first = second + 1;
    };
    await expect(shown(places, instance, at(second - 1))).rejects.toMatchObject({ code: 'hole' });
    expect(await shown(places, instance, at(second - 1))).toMatchObject({
      kind: 'not_kept',
      oldest: { sequence: second },
    });
    expect((await shown(places, instance, at(second + 1))).sequence).toBe(second + 1);
  });

  it('a snapshot that left meanwhile is passed over', async () => {
    const log = RecordedLog.of(run, kept);
    const places = placesOf(log);
    const expected = await shown(placesOf(RecordedLog.of(run)), instance, at(length));
    await shown(places, instance, at(1));
    for (const name of [...log.snapshots.keys()].slice(1)) log.snapshots.delete(name);
    expect(await shown(places, instance, at(length))).toEqual(expected);
  });

  it('a state of another log is never shown', async () => {
    const log = RecordedLog.of(run, kept);
    const places = placesOf(log);
    await shown(places, instance, null);
    const { command, outcome } = log.messages.pop()!;
    log.messages.push({
      command,
      outcome: { ...outcome, bytes: withLaneHead(outcome.bytes, new Uint8Array(32)) },
    });
    await expect(shown(places, instance, null)).rejects.toMatchObject({ code: 'books_differ' });
    expect((await shown(places, instance, at(length - 1))).sequence).toBe(length - 1);
    await expect(shown(places, instance, null)).rejects.toMatchObject({ code: 'books_differ' });
  });
});

it('amounts of a place are exact where a double is not', async () => {
  const log = RecordedLog.of(run);
  const places = placesOf(log);
  const owner = new RecordedLane();
  for (const { commands: each, timestampMs } of run.lane.log) owner.apply(each, timestampMs);
  const [instance = ''] = run.instances;
  const answer = await answerPlace(places, { kind: 'at', lane, instance, moment: null });
  for (const [account, atoms] of owner.replica.engine.accounts(instance)!)
    expect(answer.body).toContain(`"${account}":${formatAmount(atoms)}`);
});
