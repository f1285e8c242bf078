import { answer, awardInstance, setWallet, win } from '../../gateway/support/settlements.ts';
import { atoms } from '../../jackpot/support/commands.ts';
import type { Asking } from './asking.ts';
import { type Changes, call, type Witness } from './witnesses.ts';

const decisions = ['release', 'retry', 'resolve'] as const;

/** Payments that wait for a person, decided by one and, under the four-eyes rule, proposed to another. */
export async function decidePayments(asking: Asking): Promise<void> {
  const { world } = asking;
  const brand = 'rival:main';
  const instance = await awardInstance(world, { owner_id: brand });
  setWallet(world, instance, brand, { verificationLimitAtoms: atoms('500'), verificationCurrency: 'EUR' });
  const waiting = async (verb: (typeof decisions)[number], player: string): Promise<Changes> => {
    const amount = verb === 'release' ? '501' : '100';
    const id = await win(world, instance, { brand, amount, player });
    if (verb !== 'release') answer(world, instance, id, 'refused');
    return { path: { id } };
  };
  const later: Witness[] = [];
  for (const verb of decisions) {
    const route = `POST /config/settlements/{id}/${verb}`;
    const once = { ...(await waiting(verb, 'first')), headers: ['Idempotency-Key', verb] };
    await call(asking, [
      [route, 200, once],
      [route, 204, once],
    ]);
    later.push([route, 202, await waiting(verb, 'second')]);
  }
  await world.call('PATCH', '/config/operators/rival', { four_eyes: { enabled: true } });
  await call(asking, later);
}
