import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contribution } from '../../jackpot/support/commands.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';
import { ExecutionWorld } from './execution-world.ts';

let world: ExecutionWorld;

const always = onePot({ pot_types: [sureHit] }, { operator_contribution_percentage: '0' });

beforeEach(async () => {
  world = await ExecutionWorld.open();
  await world.actors.owned(await world.actors.startHost('one'));
});
afterEach(() => world.close());

const credits = () => world.wallet.of('W3').filter(({ body }) => body.transaction_type === 'Credit');
const settled = () =>
  world.until(async () => (await world.openCredits()).length === 0, 'credits are settled');
const isCredit = (body: Readonly<Record<string, unknown>>): boolean => body.transaction_type === 'Credit';

describe('a win', () => {
  it('is credited by W3, field by field, and settled', async () => {
    await world.actors.activeInstance('jackpot', always);
    await world.startRole();
    const sent = await world.contribute();
    expect(await world.late(sent)).toMatchObject({ results: [{ win: { amountAtoms: 100_000_000n } }] });
    await world.until(() => credits().length === 1, 'the credit arrives');
    const [debit] = world.wallet.of('W3');
    expect(credits()[0]?.body).toEqual({
      player_id: 'p1',
      transaction_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/),
      transaction_type: 'Credit',
      provider_id: 'potstream',
      amount: 1,
      jackpot_amount: 1,
      bonus_amount: 0,
      source_id: 'slot-1',
      source_variant: 'main',
      gameround_id: debit?.body.gameround_id,
      gameround_complete: true,
      category: null,
      currency: 'EUR',
      metadata: { instance_id: 'jackpot', instance_count: 1, kind: 'main' },
    });
    await settled();
    expect(world.wallet.balanceOf('p1')).toBe(0n);
  });

  it('keeps its id and bytes until the wallet answers, and is shown as unknown meanwhile', async () => {
    let isDown = true;
    world.wallet.fault = ({ body }) => (isCredit(body) && isDown ? 'drop' : 'answer');
    await world.actors.activeInstance('jackpot', always);
    const first = await world.startRole();
    await world.late(await world.contribute());
    await world.until(async () => (await world.openCredits())[0]?.state === 'unknown', 'it is unknown');
    expect((await world.openCredits())[0]).toMatchObject({ reason: 'no_answer' });
    await world.stopRole(first);
    isDown = false;
    await world.startRole();
    await settled();
    const texts = new Set(credits().map(({ text }) => text));
    expect(credits().length).toBeGreaterThan(1);
    expect(texts.size).toBe(1);
    expect(world.wallet.balanceOf('p1')).toBe(0n);
  });

  it('waits for a person where the wallet refuses it, and is credited when the person tries again', async () => {
    world.wallet.fault = ({ body }) => (isCredit(body) ? 'refuse' : 'answer');
    await world.actors.activeInstance('jackpot', always);
    await world.startRole();
    await world.late(await world.contribute());
    await world.until(async () => (await world.openCredits())[0]?.state === 'dead', 'it is dead');
    const [dead] = await world.openCredits();
    expect(dead).toMatchObject({ reason: 'insufficient_funds: No.' });
    expect(credits()).toHaveLength(1);
    world.wallet.fault = () => 'answer';
    const { transactionId } = dead!;
    await world.actors.send([{ kind: 'RetryCredit', transactionId, reason: 'again', user: 'ada' }]);
    await settled();
    expect(credits().map(({ id }) => id)).toEqual([transactionId, transactionId]);
  });

  it('is not repeated once a person has settled it', async () => {
    world.wallet.fault = ({ body }) => (isCredit(body) ? 'lose' : 'answer');
    await world.actors.activeInstance('jackpot', always);
    const first = await world.startRole();
    await world.late(await world.contribute());
    await world.until(async () => (await world.openCredits())[0]?.state === 'unknown', 'it is unknown');
    const { transactionId } = (await world.openCredits())[0]!;
    const resolved = await world.actors.send([
      { kind: 'ResolveCredit', transactionId, reason: 'paid by hand', user: 'ada' },
    ]);
    await world.actors.reply(resolved);
    const before = credits().length;
    world.wallet.fault = () => 'answer';
    await world.until(async () => (await world.metric(first, 'credit')) === 0, 'nobody holds it');
    expect(credits()).toHaveLength(before);
  });
});

describe('a debit that wins nothing', () => {
  it('is closed by a credit of zero where the brand closes rounds', async () => {
    await world.putWallet('op:main', { close_rounds: true });
    await world.actors.activeInstance('jackpot', onePot({}, { operator_contribution_percentage: '0' }));
    await world.startRole();
    await world.late(await world.contribute());
    await world.until(() => credits().length === 1, 'the round is closed');
    const [debit] = world.wallet.of('W3');
    expect(credits()[0]?.body).toMatchObject({
      amount: 0,
      jackpot_amount: 0,
      source_variant: null,
      gameround_id: debit?.body.gameround_id,
      gameround_complete: true,
      metadata: { kind: 'close' },
    });
    await settled();
  });
});

describe('shares of a win', () => {
  const shared = onePot(
    {
      pot_types: [{ External: {} }],
      payout_ruleset: {
        main_winner_percentage: '0.5',
        payout_rules: [
          {
            payout_percentage: '0.5',
            rule: { HighestContributors: { max_number_of_payouts: 3 } },
          },
        ],
      },
    },
    { operator_contribution_percentage: '0' },
  );

  async function win(): Promise<void> {
    await world.actors.activeInstance('jackpot', shared);
    await world.startRole();
    for (const player of ['p1', 'p2', 'p3']) await world.late(await world.contribute({ player }));
    await trigger();
  }

  async function trigger(): Promise<void> {
    await world.actors.reply(
      await world.actors.send([
        {
          ...{
            kind: 'TriggerPot' as const,
            instance: 'jackpot',
            pot: 'main',
            brand: 'op:main',
            player: 'p1',
          },
          ...{ source: '', user: 'ada', idempotencyKey: null },
        },
      ]),
    );
  }

  it('are one batch, whose records are settled together', async () => {
    await win();
    await settled();
    const [batch, ...others] = world.wallet.of('W4');
    expect(others).toEqual([]);
    expect(batch?.body).toMatchObject({
      transaction_type: 'Credit',
      provider_id: 'potstream',
      amount: 1.5,
      jackpot_amount: 1.5,
      source_variant: 'main',
      transactions: [
        { player_id: 'p1', currency: 'EUR', amount: 0.5, jackpot_amount: 0.5 },
        { player_id: 'p2' },
        { player_id: 'p3' },
      ],
    });
    expect(['p1', 'p2', 'p3'].map((player) => world.wallet.balanceOf(player))).toEqual([
      100_000_000n,
      -50_000_000n,
      -50_000_000n,
    ]);
  });

  it('are repeated whole while the result is unknown, also by another process', async () => {
    world.wallet.fault = ({ name }) => (name === 'W4' ? 'drop' : 'answer');
    await win();
    const isUnknown = async () =>
      (await world.openCredits()).filter(({ state, batchId }) => state === 'unknown' && batchId !== '')
        .length === 3;
    await world.until(isUnknown, 'the batch is unknown');
    expect((await world.openCredits()).find(({ batchId }) => batchId !== '')?.reason).toBe(
      'batch of 3: no_answer',
    );
    await world.stopRoles();
    world.wallet.fault = () => 'answer';
    await world.startRole();
    await settled();
    expect(new Set(world.wallet.of('W4').map(({ text }) => text)).size).toBe(1);
    expect(world.wallet.balanceOf('p2')).toBe(-50_000_000n);
  });

  it('that the wallet could not credit are repeated alone under their ids', async () => {
    world.wallet.batchErrors.set('p2', { code: 'player_locked', msg: 'Later.' });
    world.wallet.fault = ({ name, body }) =>
      name === 'W3' && isCredit(body) && body.player_id === 'p2' ? 'lose' : 'answer';
    await win();
    const left = async () => (await world.openCredits()).map(({ player, state }) => [player, state]);
    await world.until(async () => JSON.stringify(await left()) === '[["p2","unknown"]]', 'one is left');
    expect((await world.openCredits())[0]?.reason).toBe('player_locked: Later.');
    world.wallet.fault = () => 'answer';
    await settled();
    const batch = world.wallet.of('W4')[0]?.body.transactions as {
      player_id: string;
      transaction_id: string;
    }[];
    const alone = credits().filter(({ body }) => body.player_id === 'p2');
    expect(new Set(alone.map(({ id }) => id))).toEqual(
      new Set([batch.find(({ player_id }) => player_id === 'p2')?.transaction_id]),
    );
    expect(world.wallet.of('W4')).toHaveLength(1);
    expect(world.wallet.balanceOf('p2')).toBe(-50_000_000n);
  });

  it('of a thousand players whom the wallet credits alone are settled, however long and in whatever script it says why', async () => {
    const everybody = {
      payout_percentage: '0.5',
      rule: { HighestContributors: { max_number_of_payouts: 1000 } },
    };
    const payout_ruleset = { main_winner_percentage: '0.5', payout_rules: [everybody] };
    const pots = onePot(
      { pot_types: [{ External: {} }], payout_ruleset },
      { operator_contribution_percentage: '1' },
    );
    await world.actors.activeInstance('jackpot', pots);
    await world.startRole();
    const players = Array.from({ length: 1_000 }, (_, index) => `p${index + 1}`);
    for (let from = 0; from < players.length; from += 200) {
      const some = players
        .slice(from, from + 200)
        .map((player) => contribution({ wallet: true, contributionId: randomBytes(16), player }));
      await world.actors.reply(await world.actors.send(some));
    }
    for (const player of players)
      world.wallet.batchErrors.set(player, { code: 'locked', msg: '後'.repeat(300) });
    await trigger();
    await world.until(() => credits().length > players.length, 'each is credited alone');
    await settled();
    expect(world.wallet.of('W4')).toHaveLength(1);
    expect(new Set(credits().map(({ id }) => id)).size).toBe(players.length + 1);
  });

  it('wait for a person where the wallet refuses the batch', async () => {
    world.wallet.fault = ({ name }) => (name === 'W4' ? 'refuse' : 'answer');
    await win();
    const states = async () => (await world.openCredits()).map(({ state }) => state);
    await world.until(async () => (await states()).join() === 'dead,dead,dead', 'all are dead');
    expect(world.wallet.of('W4')).toHaveLength(1);
  });
});
