import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LaneEngine, MessageOutcome } from '../../../../src/jackpot/lane/lane.ts';
import type { Command } from '../../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../../src/messages/instance-commands.ts';
import { atoms, contribution, running, setBrand, setRates, setStatus } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { onePot } from '../../support/scenario.ts';

const instances = ['jackpot', 'linked'];

/** Wins often, shares with others, diverts, and lets the player pay all or a part. */
function configuration(operator: string): InstanceConfigurationDocument {
  return onePot(
    {
      contribution: { Percentage: '0.7' },
      pot_types: [{ HitRate: { max_magic_number: 4, cost_per_attempt: '1' } }],
      seed_strategy: { initial_seed_value: '3', min_reseed_value: '3' },
      payout_ruleset: {
        main_winner_percentage: '0.6',
        payout_rules: [
          { payout_percentage: '0.3', rule: { HighestContributors: { max_number_of_payouts: 3 } } },
        ],
      },
    },
    { operator_contribution_percentage: operator },
    {
      house_pot: {
        contribution_type: { Percentage: '0.3' },
        diversion_rules: {
          diversion_percentage: '0.5',
          flush_threshold: '1',
          target: { External: { endpoint: 'https://bank.example', account_id: 'a' } },
        },
      },
    },
  );
}

type Step =
  | { readonly do: 'contribute'; readonly command: Command }
  | { readonly do: 'debit'; readonly pick: number; readonly result: 'debited' | 'refused' | 'cancelled' }
  | {
      readonly do: 'credit';
      readonly pick: number;
      readonly result: 'accepted' | 'refused' | 'unknown' | 'exhausted';
    }
  | {
      readonly do: 'decide';
      readonly pick: number;
      readonly kind: 'ReleaseCredit' | 'RetryCredit' | 'ResolveCredit';
    }
  | { readonly do: 'flush'; readonly pick: number; readonly result: 'confirmed' | 'failed' }
  | { readonly do: 'status'; readonly instance: string; readonly status: string }
  | { readonly do: 'rates'; readonly rate: string }
  | { readonly do: 'tick' | 'restart' | 'repeat' };

let nextId = 0;
const contribute = fc
  .record({
    player: fc.constantFrom('p1', 'p2', 'p3'),
    brand: fc.constantFrom('op:main', 'op:main', 'op:limited', 'op:bare'),
    currency: fc.constantFrom('EUR', 'EUR', 'USD', 'JPY'),
    linked: fc.boolean(),
    key: fc.option(fc.integer({ min: 0, max: 9 })),
  })
  .map(({ brand, key, ...rest }): Step => {
    nextId += 1;
    const contributionId = new Uint8Array(16);
    new DataView(contributionId.buffer).setUint32(0, nextId);
    return {
      do: 'contribute',
      command: contribution({
        ...rest,
        brand,
        contributionId,
        wallet: brand !== 'op:bare',
        idempotencyKey: key === null ? null : new Uint8Array(16).fill(key),
      }),
    };
  });
const pick = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: contribute },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('debit' as const),
      pick,
      result: fc.constantFrom('debited', 'debited', 'debited', 'refused', 'cancelled'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('credit' as const),
      pick,
      result: fc.constantFrom('accepted', 'accepted', 'refused', 'unknown', 'exhausted'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      pick,
      kind: fc.constantFrom('ReleaseCredit', 'RetryCredit', 'ResolveCredit'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('flush' as const),
      pick,
      result: fc.constantFrom('confirmed', 'failed'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      instance: fc.constantFrom(...instances),
      status: fc.constantFrom('Paused', 'Active', 'Active', 'Active'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rates' as const), rate: fc.constantFrom('1.5', '2', '3') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('tick' as const, 'restart', 'repeat') }) },
);

/** A lane, and what a wallet and callers have seen of it. */
class World {
  readonly lane = new TestLane();
  readonly pending = new Set<string>();
  readonly answered = new Map<string, number>();
  readonly paid = new Map<string, number>();
  /** Instances that players have paid for, by the place of the contribution. */
  readonly debited = new Map<string, Set<string>>();
  wins = 0;
  /** Every settlement that was said, to be said again. */
  readonly said: Command[] = [];
  #rates = 0;

  constructor(operator: string) {
    this.#setRates('2');
    this.lane.apply(
      setBrand({ wallet: true, closeRounds: true }),
      setBrand({ brand: 'op:limited', wallet: true, verificationLimitAtoms: atoms('2') }),
      setBrand({ brand: 'op:bare', verificationLimitAtoms: atoms('2') }),
      ...running(configuration(operator)).slice(1),
      ...running(configuration('0'), 'linked').slice(1),
      { kind: 'SetLinks', instance: 'jackpot', links: ['linked'], user: 'admin', expectedVersion: null },
    );
  }

  get engine(): LaneEngine {
    return this.lane.engine;
  }

  take(step: Step): void {
    const commands = this.#commandsOf(step);
    if (step.do === 'restart') this.lane.restart();
    if (commands.length > 0) this.#apply(commands);
  }

  #apply(commands: readonly Command[]): void {
    const open = this.engine.openDebits(0, 500);
    for (const command of commands) {
      if (command.kind !== 'DebitSettled' || command.result !== 'debited') continue;
      const debit = open.find((each) => each.transactionId === command.transactionId);
      if (debit === undefined) continue;
      const place = `${debit.sequence}:${debit.index}`;
      this.debited.set(place, (this.debited.get(place) ?? new Set()).add(debit.instance));
    }
    this.#note(commands, this.lane.apply(...commands));
  }

  #note(commands: readonly Command[], outcome: MessageOutcome): void {
    outcome.outcomes.forEach((each, index) => {
      const place = `${outcome.sequence}:${index}`;
      if (each.kind === 'Pending') this.pending.add(place);
      if (each.kind !== 'Settled') return;
      for (const { sequence, index: asked } of each.contributions)
        count(this.answered, `${sequence}:${asked}`);
    });
    for (const event of outcome.events) {
      if (event.kind === 'Won') this.wins += 1;
      if (event.kind === 'PayoutChanged' && event.credit.state === 'settled') {
        count(this.paid, event.credit.transactionId);
      }
    }
    for (const command of commands) {
      if (command.kind.endsWith('Settled')) this.said.push(command);
    }
  }

  /** Money is conserved, and what is owed is exactly what is open. */
  check(): void {
    const credits = this.engine.openCredits(0, 10_000, [], '');
    const flushes = this.engine.openFlushes(0, 10);
    for (const instance of instances) {
      expect(this.lane.total(instance)).toBe(0n);
      const owed = credits.filter((each) => each.instance === instance);
      const { win_liability, diversion_pending } = this.lane.accounts(instance);
      expect(win_liability).toBe(owed.reduce((sum, each) => sum + each.amountAtoms, 0n));
      expect(diversion_pending).toBe(flushes.find((each) => each.instance === instance)?.amountAtoms ?? 0n);
    }
    expect([...this.answered.values()].every((times) => times === 1)).toBe(true);
    expect([...this.paid.values()].every((times) => times === 1)).toBe(true);
    const open = [...this.pending].filter((place) => !this.answered.has(place));
    for (const place of open) {
      const [sequence, index] = place.split(':').map(Number);
      expect(this.engine.pendingAnswer(sequence!, index!).open).toBe(true);
    }
  }

  /** What a wallet and an owner do in the end. */
  finish(): void {
    for (const instance of instances) this.take({ do: 'status', instance, status: 'Active' });
    while (this.engine.openDebits(0, 1).length > 0) {
      const open = this.engine.openDebits(0, 500).filter((each) => !each.debited);
      this.#settle(
        open.map(({ transactionId }) => ({ kind: 'DebitSettled', transactionId, result: 'debited' })),
      );
      this.take({ do: 'tick' });
    }
    const credits = this.engine.openCredits(0, 500, [], '');
    const reason = 'the end';
    this.#settle(
      credits.flatMap(({ transactionId, state }): Command[] => [
        ...(state === 'withheld'
          ? [{ kind: 'ReleaseCredit', transactionId, reason, user: 'admin' } as const]
          : []),
        { kind: 'CreditSettled', transactionIds: [transactionId], result: 'accepted', reason },
      ]),
    );
  }

  #settle(commands: readonly Command[]): void {
    if (commands.length > 0) this.#apply(commands);
  }

  #commandsOf(step: Step): readonly Command[] {
    switch (step.do) {
      case 'contribute':
        return [step.command, contribution({ player: 'p9', brand: 'op:bare' })];
      case 'debit':
        return chosen(this.engine.openDebits(0, 500), step.pick).map(({ transactionId }) => {
          return { kind: 'DebitSettled', transactionId, result: step.result };
        });
      case 'credit':
        return chosen(this.engine.openCredits(0, 500, [], ''), step.pick).map(({ transactionId }) => {
          return { kind: 'CreditSettled', transactionIds: [transactionId], result: step.result, reason: '' };
        });
      case 'decide':
        return chosen(this.engine.openCredits(0, 500, [], ''), step.pick).map(({ transactionId }) => {
          return { kind: step.kind, transactionId, reason: 'test', user: 'admin' };
        });
      case 'flush':
        return chosen(this.engine.openFlushes(0, 500), step.pick).map(({ instance, flushId }) => {
          return { kind: 'FlushSettled', instance, flushId, result: step.result };
        });
      case 'status':
        return [setStatus(step.status, step.instance)];
      case 'rates':
        return [this.#setRates(step.rate)];
      case 'tick':
        return instances.map((instance) => ({ kind: 'Tick', instance }));
      case 'repeat':
        return this.said.slice(-5);
      case 'restart':
        return [];
    }
  }

  #setRates(rate: string): Command {
    this.#rates += 1;
    const command = setRates(
      [
        ['JPY', '163.27', null],
        ['USD', rate, null],
      ],
      { version: this.#rates },
    );
    if (this.#rates === 1) this.lane.apply(command);
    return command;
  }
}

describe('any order of contributions, settlements, pauses and restarts', () => {
  it('conserves money, settles each id once, pays nothing twice, and replays to the same state', () => {
    let waited = 0;
    let wins = 0;
    fc.assert(
      fc.property(
        fc.constantFrom('0', '0.5', '1'),
        fc.array(step, { minLength: 10, maxLength: 60 }),
        (operator, steps) => {
          const world = new World(operator);
          for (const each of steps) {
            world.take(each);
            world.check();
          }
          waited += world.pending.size;
          expect(digest(world.lane.replayed().snapshot())).toBe(digest(world.engine.snapshot()));
          world.finish();
          world.check();
          expect(world.engine.openDebits(0, 10)).toEqual([]);
          expect(world.engine.openCredits(0, 10, [], '')).toEqual([]);
          expect(world.answered.size).toBe(world.pending.size);
          wins += world.wins;
        },
      ),
      { numRuns: 120, seed: 11 },
    );
    expect(waited).toBeGreaterThan(300);
    expect(wins).toBeGreaterThan(200);
  });
});

function chosen<T>(list: readonly T[], pick: number): readonly T[] {
  const one = list[pick % Math.max(1, list.length)];
  return one === undefined ? [] : [one];
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function digest(chunks: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
