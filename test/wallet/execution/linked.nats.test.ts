import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contribution } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { ExecutionWorld } from './execution-world.ts';
import type { Call, Fault } from './money-wallet.ts';

let world: ExecutionWorld;
const playerPays = onePot({}, { operator_contribution_percentage: '0' });
const operatorPays = onePot({}, { operator_contribution_percentage: '1' });

beforeEach(async () => {
  world = await ExecutionWorld.open();
  await world.actors.owned(await world.actors.startHost('one'));
});
afterEach(() => world.close());

/** The main instance with two links, and a wallet that does so with the debit of each instance. */
async function given(main = playerPays, faults: Readonly<Record<string, Fault>> = {}): Promise<void> {
  await world.actors.activeInstance('main', main);
  for (const link of ['first', 'second']) await world.actors.activeInstance(link, playerPays);
  const links = ['first', 'second'];
  const linked = { kind: 'SetLinks', instance: 'main', links, user: 'ada', expectedVersion: null } as const;
  await world.actors.reply(await world.actors.send([linked]));
  world.wallet.fault = (call) => (call.name === 'W3' ? faults[instanceOf(call)] : undefined) ?? 'answer';
  await world.startRole();
}

const contribute = () => world.contribute({ linked: true, target: { type: 'instance', id: 'main' } });
const instanceOf = ({ body }: Call): string => (body.metadata as { instance_id: string }).instance_id;
const debited = (): readonly string[] => world.wallet.of('W3').map(instanceOf);

describe('a contribution with links, each with a debit of the player', () => {
  it('is answered once all debits are settled, each a game round', async () => {
    await given();
    expect(await world.late(await contribute())).toMatchObject({
      kind: 'Contributed',
      results: [{ instance: 'main' }, { instance: 'first' }, { instance: 'second' }],
    });
    expect(debited()).toEqual(['main', 'first', 'second']);
    expect(new Set(world.wallet.of('W3').map(({ body }) => body.gameround_id)).size).toBe(3);
    expect(world.wallet.balanceOf('p1')).toBe(-300_000_000n);
  });

  it('goes on where the wallet refuses one link, without the money of that link', async () => {
    await given(playerPays, { first: 'refuse' });
    expect(await world.late(await contribute())).toMatchObject({
      kind: 'Contributed',
      results: [{ instance: 'main' }, { instance: 'second' }],
    });
    expect(world.wallet.of('W2')).toEqual([]);
    expect(world.wallet.balanceOf('p1')).toBe(-200_000_000n);
  });

  it('asks for no debit of a link where the wallet refuses the main one', async () => {
    await given(playerPays, { main: 'refuse' });
    expect(await world.late(await contribute())).toMatchObject({ kind: 'Refused', code: 'debit_refused' });
    expect(debited()).toEqual(['main']);
    expect(await world.openDebits()).toEqual([]);
  });

  it('keeps what was debited where the answer about a link stays unknown, and cancels that link', async () => {
    await given(playerPays, { second: 'drop' });
    expect(await world.late(await contribute())).toMatchObject({
      kind: 'Contributed',
      results: [{ instance: 'main' }, { instance: 'first' }],
    });
    expect(world.wallet.of('W2')).toHaveLength(1);
    expect(world.wallet.balanceOf('p1')).toBe(-200_000_000n);
  });

  it('is applied to an instance that the operator pays for, whatever becomes of its links', async () => {
    await given(operatorPays, { first: 'refuse', second: 'refuse' });
    expect(await world.late(await contribute())).toMatchObject({
      kind: 'Contributed',
      results: [{ instance: 'main' }],
    });
    expect(world.wallet.balanceOf('p1')).toBe(0n);
  });
});

describe('contributions of one batch', () => {
  it('are settled each by itself', async () => {
    await given(playerPays);
    world.wallet.fault = ({ name, body }) =>
      name === 'W3' && body.player_id === 'poor' ? 'refuse' : 'answer';
    const target = { type: 'instance', id: 'main' } as const;
    const commands = ['poor', 'rich'].map((player, index) =>
      contribution({ player, target, wallet: true, contributionId: new Uint8Array(16).fill(index + 1) }),
    );
    await world.actors.reply(await world.actors.send(commands));
    await world.until(async () => (await world.openDebits()).length === 0, 'both are settled');
    expect(world.wallet.balanceOf('poor')).toBe(0n);
    expect(world.wallet.balanceOf('rich')).toBe(-100_000_000n);
    const accounts = await world.actors.query({ kind: 'accounts', instance: 'main' });
    expect(accounts).toMatchObject({ accounts: expect.arrayContaining([['player', -100_000_000n]]) });
  });
});
