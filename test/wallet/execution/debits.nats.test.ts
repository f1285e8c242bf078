import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uuidText } from '../../../src/lib/uuid.ts';
import { contribution, setStatus } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { ExecutionWorld } from './execution-world.ts';

let world: ExecutionWorld;

beforeEach(async () => {
  world = await ExecutionWorld.open();
  await world.actors.owned(await world.actors.startHost('one'));
  await world.actors.activeInstance('jackpot', onePot({}, { operator_contribution_percentage: '0' }));
});
afterEach(() => world.close());

describe('a contribution that the player pays', () => {
  it('is debited by W3, field by field, and applied once the wallet has answered', async () => {
    await world.startRole();
    const contributionId = Uint8Array.from({ length: 16 }, (_, index) => index);
    const sent = await world.contribute({ contributionId, vertical: 'slots', gameround: 'their-round' });
    expect(sent.outcome).toEqual({ kind: 'Pending' });
    expect(await world.late(sent)).toMatchObject({ kind: 'Contributed', results: [{ instance: 'jackpot' }] });
    const [call, ...others] = world.wallet.calls;
    expect(others).toEqual([]);
    expect(call?.body).toEqual({
      player_id: 'p1',
      transaction_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/),
      transaction_type: 'Debit',
      provider_id: 'potstream',
      amount: 1,
      jackpot_amount: 0,
      bonus_amount: 0,
      source_id: 'slot-1',
      source_variant: null,
      gameround_id: uuidText(contributionId),
      gameround_complete: false,
      category: 'slots',
      bonus_id: null,
      currency: 'EUR',
      metadata: { instance_id: 'jackpot', gameround_id: 'their-round' },
    });
    expect(await world.openDebits()).toEqual([]);
  });

  it('is refused, and leaves no trace, where the wallet refuses it', async () => {
    world.wallet.fault = () => 'refuse';
    await world.startRole();
    const sent = await world.contribute();
    expect(await world.late(sent)).toMatchObject({ kind: 'Refused', code: 'debit_refused' });
    expect(world.wallet.of('W3')).toHaveLength(1);
    expect(await world.openDebits()).toEqual([]);
  });

  it.each(['drop', 'fail', 'garbage', 'lose'] as const)(
    'is debited once where the first answer is %s: the same bytes again',
    async (fault) => {
      world.wallet.fault = (_, count) => (count === 1 ? fault : 'answer');
      await world.startRole();
      expect(await world.late(await world.contribute())).toMatchObject({ kind: 'Contributed' });
      const [first, second, ...others] = world.wallet.of('W3');
      expect(others).toEqual([]);
      expect(second?.text).toBe(first?.text);
      expect(world.wallet.balanceOf('p1')).toBe(-100_000_000n);
    },
  );

  it('is cancelled where the wallet does not answer in time, and W3 never follows W2', async () => {
    world.wallet.fault = ({ name }) => (name === 'W3' ? 'drop' : 'answer');
    await world.startRole();
    const sent = await world.contribute();
    const [debit] = await world.openDebits();
    expect(await world.late(sent)).toMatchObject({ kind: 'Refused', code: 'wallet_unavailable' });
    const names = world.wallet.calls.map(({ name }) => name);
    expect(names.at(-1)).toBe('W2');
    expect(names.slice(0, -1)).toEqual(names.slice(0, -1).map(() => 'W3'));
    expect(world.wallet.calls.at(-1)?.atMs).toBeGreaterThan(debit!.deadlineMs);
    expect(world.wallet.calls.at(-1)?.body).toEqual({
      gameround_id: debit!.contributionId,
      player_id: 'p1',
    });
    expect(world.wallet.balanceOf('p1')).toBe(0n);
    expect(await world.openDebits()).toEqual([]);
  });

  it('is cancelled until the wallet confirms it', async () => {
    world.wallet.fault = ({ name }, count) => (name === 'W3' ? 'drop' : count < 3 ? 'fail' : 'answer');
    await world.startRole();
    expect(await world.late(await world.contribute())).toMatchObject({ code: 'wallet_unavailable' });
    expect(world.wallet.of('W2')).toHaveLength(3);
    expect(world.alarms.join()).toContain('wallet_cancel_unanswered');
    expect(world.wallet.balanceOf('p1')).toBe(0n);
  });

  it('is cancelled again where the wallet answers in other words than those of W2', async () => {
    world.wallet.fault = ({ name }, count) => (name === 'W3' ? 'drop' : count < 3 ? 'other' : 'answer');
    await world.startRole();
    expect(await world.late(await world.contribute())).toMatchObject({ code: 'wallet_unavailable' });
    expect(world.wallet.of('W2')).toHaveLength(3);
    expect(world.wallet.balanceOf('p1')).toBe(0n);
  });

  it('is cancelled where the wallet repeats its own words', async () => {
    world.wallet.fault = ({ name }) => (name === 'W3' ? 'lose' : 'other');
    await world.startRole();
    expect(await world.late(await world.contribute())).toMatchObject({ code: 'wallet_unavailable' });
    expect(world.wallet.of('W2')).toHaveLength(3);
    expect(await world.openDebits()).toEqual([]);
  });

  it('is cancelled before it is refused where an earlier try is uncertain', async () => {
    world.wallet.fault = ({ name }, count) => (name === 'W2' ? 'answer' : count === 1 ? 'lose' : 'refuse');
    await world.startRole();
    expect(await world.late(await world.contribute())).toMatchObject({ code: 'debit_refused' });
    expect(world.wallet.calls.map(({ name }) => name)).toEqual(['W3', 'W3', 'W2']);
  });

  it('waits for its paused instance as paid, and is not cancelled', async () => {
    world.wallet.fault = () => 'answer';
    const sent = await world.contribute();
    await world.actors.reply(await world.actors.send([setStatus('Paused')]));
    await world.startRole();
    await world.until(async () => (await world.openDebits())[0]?.debited === true, 'the debit is made');
    await world.actors.reply(await world.actors.send([setStatus('Active')]));
    expect(await world.late(sent)).toMatchObject({ kind: 'Contributed' });
    expect(world.wallet.of('W2')).toEqual([]);
  });
});

describe('a wallet role that starts', () => {
  it('executes what was opened before, and cancels what is past its deadline', async () => {
    const early = await world.contribute();
    const [debit] = await world.openDebits();
    await world.until(() => Date.now() > debit!.deadlineMs, 'the deadline passes');
    const fresh = await world.contribute({ player: 'p2' });
    await world.startRole();
    expect(await world.late(fresh)).toMatchObject({ kind: 'Contributed' });
    expect(await world.late(early)).toMatchObject({ code: 'wallet_unavailable' });
    expect(world.wallet.of('W3').map(({ body }) => body.player_id)).toEqual(['p2']);
    expect(world.wallet.of('W2', debit!.transactionId)).toHaveLength(1);
  });

  it('takes over from one that ended between the debit and its report', async () => {
    world.wallet.fault = ({ name }) => (name === 'W3' ? 'drop' : 'answer');
    const first = await world.startRole();
    const sent = await world.contribute();
    await world.until(() => world.wallet.of('W3').length > 0, 'W3 arrives');
    await world.stopRole(first);
    world.wallet.fault = () => 'answer';
    await world.startRole();
    expect(await world.late(sent)).toMatchObject({ kind: 'Contributed' });
    expect(world.wallet.balanceOf('p1')).toBe(-100_000_000n);
  });
});

describe('a contribution that disagrees with the lane about the wallet', () => {
  it('is refused before any money moves', async () => {
    await world.startRole();
    const sent = await world.actors.send([contribution({ wallet: false })]);
    const { outcomes } = await world.actors.reply(sent);
    expect(outcomes).toMatchObject([{ kind: 'Refused', code: 'wallet_unavailable' }]);
    await world.putWallet('op:main', { wallet: false });
    const agrees = async (): Promise<boolean> => {
      const { outcome } = await world.contribute({ wallet: false });
      return outcome.kind === 'Contributed';
    };
    await world.until(agrees, 'the lane learns of it');
    const { outcome } = await world.contribute({ wallet: true });
    expect(outcome).toMatchObject({ kind: 'Refused', code: 'wallet_unavailable' });
    expect(world.wallet.calls).toEqual([]);
  });
});
