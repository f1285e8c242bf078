import { expect, it } from 'vitest';
import { callbackEventId } from '../../src/contracts/payments/event-id.ts';
import { uuidText } from '../../src/lib/uuid.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import { isWhole } from '../jackpot/checks/scale.ts';
import { atoms, contribution } from '../jackpot/support/commands.ts';
import { onePot } from '../jackpot/support/scenario.ts';
import { SimOutbox, type WriteFault, type WriteFaultKind, writeFaults } from './support/sim-outbox.ts';

/**
 * The outbox is killed or paused around each write to KV DELIVERIES that a history makes: entries, a backlog with its turns and its end,
 * a flush, cursors. Whatever happens, each callback arrives with the same bytes, and each flush is booked once.
 */
const bank = 'https://bank.example.com';
const dead = 'https://dead.example.com';
const healthy = 'https://healthy.example.com';
const minuteMs = 60_000;

function pool() {
  const house_pot = {
    contribution_type: { Percentage: '0.5' },
    diversion_rules: {
      diversion_percentage: '0.5',
      flush_threshold: '2',
      target: { External: { endpoint: `${bank}/flush`, account_id: 'bank-7' } },
    },
  };
  return onePot({ contribution: { Percentage: '0.5' } }, {}, { house_pot });
}

class History {
  readonly sim = new SimOutbox();
  readonly sent = new Map<string, string>();
  #count = 0;

  constructor(fault: WriteFault | null) {
    this.sim.fault = fault;
  }

  callback(origin: string): Contribute {
    this.#count += 1;
    const contributionId = Uint8Array.from({ length: 16 }, (_, index) => (index === 15 ? this.#count : 7));
    this.sent.set(callbackEventId(uuidText(contributionId)), origin);
    return contribution({ contributionId, callback: { webHook: `${origin}/hook`, winResultOnly: false } });
  }

  hasAll(origin: string): boolean {
    return [...this.sent].every(([id, to]) => to !== origin || this.sim.received.has(id));
  }

  async run(error: 'no_answer' | 'status_503'): Promise<void> {
    const { sim } = this;
    const { lane, world } = sim;
    await sim.during(lane.open(pool()));
    await sim.during(sim.start());
    await world.passes(1_000);
    sim.failing.set(dead, error);
    for (let round = 0; round < 6; round += 1) {
      await sim.during(lane.write(this.callback(dead), this.callback(healthy), this.callback(dead)));
      await world.passes(200);
    }
    await world.until(() => this.hasAll(healthy), minuteMs, 'the healthy receiver has everything');
    expect([...this.sent].some(([id, to]) => to === dead && sim.received.has(id))).toBe(false);
    await world.passes(3 * minuteMs);
    sim.failing.clear();
    await world.until(() => this.hasAll(dead), 4 * 3_600_000, 'everything arrives');
    // What a process stores behind its successor's back is read, sent once more and removed at the next start.
    if (sim.fault?.kind === 'paused') {
      await world.passes(minuteMs);
      sim.kill();
    }
    const isEmpty = () => [...sim.keys('backlog.'), ...sim.keys('item.')].length === 0;
    await world.until(isEmpty, 4 * 3_600_000, 'nothing is left');
    // Its receiver gets first tries again.
    await sim.during(lane.write(this.callback(dead)));
    await world.until(() => this.hasAll(dead), minuteMs, 'the last one arrives');
    await world.passes(minuteMs);
  }

  /** Each event with the same bytes, each flush booked once. */
  check(): void {
    const { received, lost, lane } = this.sim;
    for (const bodies of received.values()) expect(new Set(bodies).size).toBe(1);
    expect(lost).toEqual([]);
    const flushes = [...received]
      .filter(([id]) => !this.sent.has(id))
      .map(([, bodies]) => JSON.parse(bodies[0]!));
    const booked = flushes.reduce((sum, { amount }) => sum + atoms(String(amount)), 0n);
    expect(booked).toBeGreaterThan(0n);
    expect(lane.accounts()).toMatchObject({ external: booked, diversion_pending: 0n });
  }
}

/** `npm test` has one fault at each write, `npm run checks -- test/outbox/kills` all. */
function faultsAt(write: number): readonly WriteFaultKind[] {
  return isWhole ? writeFaults : [writeFaults[write % writeFaults.length]!];
}

for (const error of ['no_answer', 'status_503'] as const) {
  it(`nothing is lost around any write, with a receiver of ${error}`, async () => {
    const plain = new History(null);
    await plain.run(error);
    plain.check();
    const { writes, received } = plain.sim;
    await plain.sim.stop();
    const kinds = new Set(writes.map((key) => key.split('.')[0]));
    expect([...kinds].sort()).toEqual(['-backlog', '-item', 'backlog', 'cursor', 'item', 'replay']);
    expect([...received.values()].filter((bodies) => bodies.length > 1)).toEqual([]);
    for (let at = 1; at <= writes.length; at += 1) {
      for (const kind of faultsAt(at)) {
        const history = new History({ at, kind });
        try {
          await history.run(error);
          history.check();
        } catch (failure) {
          throw new Error(`${kind} at write ${at}, ${writes[at - 1]}`, { cause: failure });
        } finally {
          await history.sim.stop();
        }
      }
    }
  });
}

it('a process that wakes up cannot remove the backlog that its successor has read', async () => {
  const history = new History(null);
  const { sim } = history;
  const { lane, world, server } = sim;
  sim.failing.set(dead, 'no_answer');
  await sim.during(lane.open(pool()));
  await sim.during(sim.start());
  await world.passes(1_000);
  for (let count = 0; count < 6; count += 1) await sim.during(lane.write(history.callback(dead)));
  await world.passes(minuteMs);
  const [key] = sim.keys('backlog.');
  const read = server.entries('DELIVERIES').get(key!)!.revision;
  sim.kill();
  // Its next try is later.
  await world.passes(5_000);
  expect(server.putEntry('DELIVERIES', key!, null, read)).toBeNull();
  await sim.stop();
});
