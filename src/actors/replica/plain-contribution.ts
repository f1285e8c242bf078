import type { Contribute } from '../../messages/player-commands.ts';

/** What a contribution to an instance has at least. */
type ContributionBasics = Pick<
  Contribute,
  | 'contributionId'
  | 'operator'
  | 'brand'
  | 'player'
  | 'country'
  | 'baseWagerAtoms'
  | 'currency'
  | 'gameround'
  | 'idempotencyKey'
> & { readonly instance: string };

/** One without a wallet, links or a bonus: to play on the engine without a gateway. */
export function plainContribution(given: ContributionBasics): Contribute {
  return {
    kind: 'Contribute',
    contributionId: given.contributionId,
    target: { type: 'instance', id: given.instance },
    operator: given.operator,
    brand: given.brand,
    player: given.player,
    country: given.country,
    segments: [],
    baseWagerAtoms: given.baseWagerAtoms,
    currency: given.currency,
    gameround: given.gameround,
    idempotencyKey: given.idempotencyKey,
    linked: false,
    wallet: false,
    maxBetAtoms: null,
    bonus: null,
    vertical: '',
    callback: null,
    metadata: null,
    eventMetadata: null,
    provider: '',
    origin: null,
  };
}
