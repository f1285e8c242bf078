import { brandSalt } from '../../../src/contracts/directory/directory.ts';
import type { SetBrand } from '../../../src/messages/lane-commands.ts';
import type { CreditSettled } from '../../../src/messages/settlement-commands.ts';
import { atoms, contribution } from '../../jackpot/support/commands.ts';
import { createInstance, goldPot, type World } from './administration.ts';

/** An active instance whose pots are awarded by hand. */
export async function awardInstance(
  world: World,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const gold = { ...goldPot, pot_types: [{ External: {} }] };
  const pots = [gold, { ...gold, id: 'silver' }];
  const instance = await createInstance(world, {
    overrides: { pots, contribution_rules: { operator_contribution_percentage: 0 } },
    ...changes,
  });
  const active = { status: 'Active', reason: 'go' };
  const { status, text } = await world.call('POST', `/config/instances/${instance}/status`, active);
  if (status !== 200) throw new Error(text);
  return instance;
}

export function laneOf(world: World, instance: string): number {
  return world.readModel.known(instance)!.lane;
}

/** What the lane of an instance knows of a brand: one with a wallet. */
export function setWallet(
  world: World,
  instance: string,
  brand: string,
  changes: Partial<SetBrand> = {},
): void {
  const path = world.readModel.entries.brands.get(brand)!;
  world.apply(laneOf(world, instance), {
    kind: 'SetBrand',
    brand,
    salt: brandSalt(path),
    wallet: true,
    provider: 'potstream',
    closeRounds: false,
    verificationLimitAtoms: null,
    verificationCurrency: '',
    ...changes,
  });
}

/** A win of so much, and the id of its credit. */
export async function win(
  world: World,
  instance: string,
  { brand = 'acme:main', player = 'p1', amount = '100', pot = 'gold' } = {},
): Promise<string> {
  const at = `/config/instances/${instance}/pots/${pot}`;
  const value = { adjustment: amount, reason: 'a test' };
  const set = await world.call('PUT', `${at}/current-value`, value);
  if (set.status !== 204) throw new Error(set.text);
  const source_id = brand.startsWith('rival') ? 'slot-9' : 'slot-1';
  const body = { brand_id: brand, player_id: player, source_id };
  const won = await world.call('POST', `${at}/trigger`, body);
  if (won.status !== 200) throw new Error(won.text);
  return world.lanes[laneOf(world, instance)]!.openCredits(0, 1_000_000, [], '').at(-1)!.transactionId;
}

/** The wallet's answer about a credit. */
export function answer(world: World, instance: string, id: string, result: CreditSettled['result']): void {
  const transactionIds = [id];
  world.apply(laneOf(world, instance), { kind: 'CreditSettled', transactionIds, result, reason: result });
}

/** A contribution whose debit nobody makes. */
export function openDebit(
  world: World,
  instance: string,
  { brand = 'acme:main', player = 'p1', key = 1, currency = 'EUR' } = {},
): string {
  const lane = laneOf(world, instance);
  const { outcome } = world.apply(
    lane,
    contribution({
      target: { type: 'instance', id: instance },
      brand,
      player,
      operator: brand.split(':')[0]!,
      wallet: true,
      currency,
      country: '',
      baseWagerAtoms: atoms('10'),
      contributionId: new Uint8Array(16).fill(key),
    }),
  );
  if (outcome.kind !== 'Pending') throw new Error(`The contribution is ${outcome.kind}.`);
  return world.lanes[lane]!.openDebits(0, 1_000_000).at(-1)!.transactionId;
}

/** Moves the clock of the gateway and the log: the deadlines of open debits pass. */
export function passDeadlines(world: World): void {
  const { clock } = world.context;
  const nowMs = clock.nowMs;
  Object.assign(clock, { nowMs: () => nowMs() + 5000 });
}
