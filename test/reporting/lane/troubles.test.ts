import { describe, expect, it } from 'vitest';
import { alarmOfTrouble } from '../../../src/reporting/lane/trouble.ts';
import { createInstance, setBrand } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { testSystem } from '../support/booked-lane.ts';
import { SimBooks } from '../support/sim-books.ts';

async function withHistory(): Promise<SimBooks> {
  const sim = new SimBooks(3);
  sim.lanes.startHost();
  await sim.lanes.ask(0, [createInstance(onePot())]);
  sim.lanes.send(0, [setBrand()], 'control');
  await sim.lanes.settled(0);
  return sim;
}

async function troubleOf(sim: SimBooks): Promise<string> {
  const found = () => sim.troubles.find((trouble) => trouble !== null);
  await sim.lanes.until(() => found() !== undefined, 'the books have a trouble');
  return found()!.code;
}

const head = '00'.repeat(32);

describe('the books of a lane', () => {
  it('that are of another system are left as they are', async () => {
    const sim = await withHistory();
    const position = { lane: 0, sequence: 1, timestampMs: 0, head, systemId: 'another' };
    await sim.books.write(emptyBatch(position));
    sim.start();
    expect(await troubleOf(sim)).toBe('reporting_other_system');
    expect(sim.books.batches).toHaveLength(1);
    await sim.stop();
  });

  it('that know more than the log stand still', async () => {
    const sim = await withHistory();
    const position = { lane: 0, sequence: 1_000, timestampMs: 0, head, systemId: testSystem };
    await sim.books.write(emptyBatch(position));
    sim.start();
    expect(await troubleOf(sim)).toBe('reporting_ahead');
    await sim.stop();
  });

  it('that were written from another log stand still', async () => {
    const sim = await withHistory();
    const position = { lane: 0, sequence: 1, timestampMs: 0, head, systemId: testSystem };
    await sim.books.write(emptyBatch(position));
    sim.start();
    expect(await troubleOf(sim)).toBe('books_differ');
    await sim.stop();
  });

  it('wait for a database that does not answer, and go on with it', async () => {
    const sim = await withHistory();
    sim.fault = { at: 1, kind: 'unavailable' };
    sim.start();
    await sim.current();
    expect(sim.troubles.map((trouble) => trouble?.code ?? null)).toEqual(['reporting_unavailable', null]);
    await sim.stop();
  });

  it('go on after an outage of the log', async () => {
    const sim = await withHistory();
    sim.start();
    await sim.current();
    sim.lanes.server.up = false;
    await sim.lanes.world.passes(20_000);
    sim.lanes.server.up = true;
    sim.lanes.send(0, [setBrand({ provider: 'again' })], 'control');
    await sim.current();
    expect(sim.troubles.every((trouble) => trouble === null || alarmOfTrouble(trouble) === null)).toBe(true);
    await sim.stop();
  });
});

function emptyBatch(position: Parameters<SimBooks['books']['write']>[0]['position']) {
  const nothing = { rows: {}, dailyTotals: [], players: [], movements: [], openings: [] };
  return { lane: position.lane, after: -1, position, ...nothing };
}
