import { limitAtoms } from '../../../../../directory/four-eyes/rule.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { candidates } from '../../../../../directory/resolve.ts';
import { lesserOf } from '../../../../../lib/money.ts';
import { isBrandAllowed } from '../../../../../messages/admission.ts';
import { PublicError } from '../../../../base/errors.ts';
import { fourEyesRule } from '../../../approvals/four-eyes.ts';
import type { ContributionMoney } from '../../../contribution/draft.ts';
import { askPlayer, knownPlayer } from '../../../contribution/player.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import type { OnBehalf } from './contribute-on-behalf.ts';
import { countedAtoms } from './counted-amount.ts';
import { type Reservation, release, reserve } from './on-behalf-sums.ts';

type Money = Extract<ContributionMoney, { readonly ok: true }>;

/** Instances that one contribution may reach, and whose sums are kept. */
const maxInstances = 32;

/**
 * Owners whose rules hold for a contribution on a player's behalf: the jackpots' (of a source its group's
 * operator) and the player's.
 */
export function contributionOwners(
  { contribution, brand, known }: OnBehalf,
  { directory }: GatewayContext,
): string[] {
  const jackpots = known?.description.owner ?? directory.groupOfSource(brand.path, contribution.target.id);
  return jackpots === undefined ? [brand.path] : [jackpots, brand.path];
}

/** What one administrator may contribute alone in a day; `none`: no rule holds. */
export async function onBehalfLimit(
  context: GatewayContext,
  owners: readonly string[],
): Promise<bigint | 'none'> {
  const rules = await Promise.all(owners.map((owner) => fourEyesRule(context, owner)));
  const limits = rules.filter(({ enabled }) => enabled).map((rule) => limitAtoms(rule) ?? 0n);
  return limits.length === 0 ? 'none' : limits.reduce(lesserOf);
}

/**
 * Counts the contribution for each instance that it may reach; null: nothing, because one is above its limit
 * or a rate is missing. @throws PublicError where the wallet does not know the player
 */
export async function reserveOnBehalf(
  context: GatewayContext,
  onBehalf: OnBehalf,
  money: Money,
  limit: bigint,
): Promise<readonly Reservation[] | null> {
  const { request, contribution, brand } = onBehalf;
  if (limit === 0n) return null;
  const instances = onBehalf.known === null ? await resolved(context, onBehalf) : [onBehalf.known];
  if (instances.length > maxInstances) return null;
  const amounts = await Promise.all(
    instances.map((known) => countedAtoms(context, contribution, money, brand.path, known)),
  );
  const reserved: Reservation[] = [];
  for (const [index, known] of instances.entries()) {
    const atoms = amounts[index] ?? null;
    const { instance } = known.description;
    const wanted = { instance, user: request.principal.subject, atMs: context.clock.nowMs() };
    if (atoms === null || !(await reserve(context, { ...wanted, atoms }, limit))) {
      await releaseAll(context, reserved);
      return null;
    }
    reserved.push({ ...wanted, atoms });
  }
  return reserved;
}

export async function releaseAll(context: GatewayContext, reserved: readonly Reservation[]): Promise<void> {
  for (const each of reserved) await release(context, each);
}

/** Where a source may lead: the lane chooses among them. */
async function resolved(
  context: GatewayContext,
  { contribution, brand }: OnBehalf,
): Promise<readonly KnownInstance[]> {
  const { directory } = context;
  const source = contribution.target.id;
  const group = directory.groupOfSource(brand.path, source);
  if (group === undefined) return [];
  const segments = await segmentsOf(context, { contribution, brand });
  const lookup = { brand: brand.path, source, segments, group, country: null };
  return candidates(directory.entries, directory.lanes, lookup).filter(
    ({ status, configuration, description }) =>
      status === 'Active' && isBrandAllowed(configuration, description.owner, brand.path),
  );
}

/** What the wallet says of the player outranks what the request says. */
async function segmentsOf(
  context: GatewayContext,
  { contribution, brand }: Pick<OnBehalf, 'contribution' | 'brand'>,
): Promise<readonly string[]> {
  if (!brand.entry.wallet) return contribution.segments;
  const player =
    knownPlayer(contribution, brand.path, context) ?? (await askPlayer(contribution, brand.path, context));
  if (player === null) throw new PublicError('wallet_unavailable');
  return player.segments ?? contribution.segments;
}
