import { expect, it } from 'vitest';
import { outboxLimits } from '../../src/outbox/delivery/limits.ts';
import { ReplayJobs } from '../../src/outbox/replay/replay-jobs.ts';
import { newReplay, type ReplayJob } from '../../src/outbox/store/entries.ts';
import { SimWorld } from '../support/sim-world.ts';

const secondMs = 1_000;

/** The replays of a lane, each of which takes so many records of a second. What they send is noted in order. */
function replays() {
  const world = new SimWorld(1);
  const clock = world.clock(() => true);
  let revision = 0;
  const write = async () => {
    revision += 1;
    return revision;
  };
  const table = {
    write,
    add: async (value: ReplayJob) => ({ value, revision: await write() }),
    remove: async () => {},
  };
  const sent: string[] = [];
  const jobs = new ReplayJobs(table, clock, async (job, progress, isOver) => {
    let current = job;
    do {
      await new Promise<void>((resolve) => void clock.after(secondMs, resolve));
      sent.push(job.owners.join(' '));
      const deliveries = current.deliveries + 1;
      current = { ...current, deliveries, isDone: deliveries === job.last };
    } while (!current.isDone && !isOver());
    await progress(current);
  });
  let ids = 0;
  const add = async (owner: string, fromMs: number, records: number): Promise<ReplayJob | null> => {
    ids += 1;
    const range = { fromMs, toMs: fromMs, owners: [owner], last: records };
    return jobs.add({ ...newReplay(`${ids}`, 0), ...range });
  };
  return { world, jobs, add, sent };
}

it("an operator's replays run one after the other, and another operator's beside them", async () => {
  const { world, jobs, add, sent } = replays();
  for (let at = 0; at < 30; at += 1) expect(await add('acme', at, 60)).not.toBeNull();
  expect(await add('rival', 5, 3)).not.toBeNull();
  const isDone = () => jobs.jobs.some(({ owners, isDone }) => owners[0] === 'rival' && isDone);
  await world.until(isDone, 10 * secondMs, 'the other one ends');
  expect(sent.filter((owner) => owner === 'rival')).toHaveLength(3);
  expect(sent.filter((owner) => owner === 'acme').length).toBeLessThanOrEqual(5);
});

it('of more operators than have room each has a turn', async () => {
  const { world, jobs, add } = replays();
  for (let at = 0; at < outboxLimits.replaysAtOnce; at += 1) await add(`operator-${at}`, 0, 1_000);
  await add('late', 0, 3);
  const isDone = () => jobs.jobs.some(({ owners, isDone }) => owners[0] === 'late' && isDone);
  await world.until(isDone, 4 * outboxLimits.replayTurnMs, 'the late one ends');
  expect(jobs.jobs.filter((each) => each.isDone)).toHaveLength(1);
});

it('does not take what another replay sends, nor more of an operator than may wait', async () => {
  const { add } = replays();
  expect(await add('acme', 0, 60)).not.toBeNull();
  expect(await add('acme:main', 0, 60)).toBeNull();
  for (let at = 1; at < 32; at += 1) expect(await add('acme:main', at, 60)).not.toBeNull();
  expect(await add('acme', 100, 60)).toBeNull();
  expect(await add('rival', 100, 60)).not.toBeNull();
});
