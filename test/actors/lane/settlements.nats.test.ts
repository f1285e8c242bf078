import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeOutcomeRecord, encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { LaneWork } from '../../../src/messages/settlements.ts';
import { atoms, brand, contribution, setStatus } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { ActorWorld, hex, lane } from '../actor-world.ts';

let world: ActorWorld;

beforeEach(async () => {
  world = await ActorWorld.open();
  await world.putBrand(brand, { wallet: true });
});
afterEach(() => world.close());

const paidByPlayers = onePot({}, { operator_contribution_percentage: '0' });

/** What the wallet role does with its word: a command on the control channel. */
async function say(command: Command): Promise<void> {
  const bytes = encodeCommandBatch({ batchId: randomBytes(16), gateway: '', commands: [command] });
  await world.log.append(lane, 'control', bytes, { messageId: hex(randomBytes(16)) });
}

/** Everything that outcome records for the wallet name. */
function followWork(): { readonly work: LaneWork[]; stop(): Promise<void> } {
  const work: LaneWork[] = [];
  const follower = world.log.followOutcomes(
    lane,
    1,
    { wallet: true },
    { message: ({ bytes }) => void work.push(...decodeOutcomeRecord(bytes).work) },
  );
  return { work, stop: () => follower.stop() };
}

describe('a contribution whose player pays first', () => {
  it('is told to the wallet once it is stored, and answered in a reply of its own', async () => {
    const followed = followWork();
    await world.owned(await world.startHost('one'));
    await world.activeInstance('jackpot', paidByPlayers);
    const sent = await world.send([contribution({ wallet: true, contributionId: randomBytes(16) })]);
    expect((await world.reply(sent)).outcomes).toEqual([{ kind: 'Pending' }]);
    await world.until(() => followed.work.length > 0, 'the wallet learns of the debit');
    const [due] = followed.work;
    if (due?.kind !== 'DebitDue') throw new Error(`${due?.kind} is due`);
    expect(due.debit).toMatchObject({ amountAtoms: atoms('1'), sequence: sent.sequence, index: 0 });
    await say({ kind: 'DebitSettled', transactionId: due.debit.transactionId, result: 'debited' });
    await world.until(() => (world.replies.get(hex(sent.batchId))?.late.length ?? 0) > 0, 'the answer comes');
    const late = world.replies.get(hex(sent.batchId));
    expect(late).toMatchObject({
      outcomes: [],
      late: [{ index: 0, sequence: sent.sequence, outcome: { kind: 'Contributed' } }],
      allLiveValues: [{ instance: 'jackpot', sequence: 1 }],
    });
    await followed.stop();
  });

  it('survives its host: what is open is asked for, what was paid while paused is applied when it goes on', async () => {
    const first = await world.startHost('one');
    await world.owned(first);
    await world.activeInstance('jackpot', paidByPlayers);
    const sent = await world.send([
      contribution({ wallet: true, contributionId: randomBytes(16) }),
      contribution({ wallet: true, contributionId: randomBytes(16), player: 'p2' }),
    ]);
    await world.reply(sent);
    await world.reply(await world.send([setStatus('Paused')]));
    await first.abort();
    await world.owned(await world.startHost('two'));
    const last = await world.log.lastCommand(lane);
    const open = await world.query({ kind: 'open_debits', after: 0, limit: 10 }, last);
    if (open.kind !== 'open_debits') throw new Error(open.kind);
    expect(open.debits).toMatchObject([{ player: 'p1' }, { player: 'p2' }]);
    for (const { transactionId } of open.debits) {
      await say({ kind: 'DebitSettled', transactionId, result: 'debited' });
    }
    await world.reply(await world.send([setStatus('Active')]));
    await world.until(async () => {
      const left = await world.query({ kind: 'open_debits', after: 0, limit: 10 });
      return left.kind === 'open_debits' && left.debits.length === 0;
    }, 'the owner applies what was paid');
    const accounts = await world.query({ kind: 'accounts', instance: 'jackpot' });
    if (accounts.kind !== 'accounts') throw new Error(accounts.kind);
    expect(Object.fromEntries(accounts.accounts)).toMatchObject({ player: -atoms('2') });
    const late = () => world.replies.get(hex(sent.batchId))?.late ?? [];
    await world.until(() => late().length > 0, 'the answer comes');
    expect(late().map(({ index }) => index)).toEqual([0, 1]);
  });
});
