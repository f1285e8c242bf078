import { makeJackpot } from '../../../bench/lib/jackpot.ts';
import { PayingOperator, payingBrand, payingOwner } from '../../support/paying-operator.ts';
import type { ChaosSystem } from '../system/chaos-system.ts';

/** Whose contributions wait for a debit (`paid`), or for nobody. */
export type Kind = 'free' | 'paid';

/** One operator with one instance, and how its contributions look. */
export interface ChaosOperator {
  readonly kind: Kind;
  readonly operator: string;
  readonly instance: string;
  readonly service: { readonly username: string; readonly password: string };
  /** Amounts as requests have them. */
  readonly wagers: readonly string[];
  readonly contributionOf: (wagerAtoms: bigint) => bigint;
  readonly body: (player: number, key: string, wager: string) => Readonly<Record<string, unknown>>;
}

export interface Operators {
  readonly free: ChaosOperator;
  readonly paid: ChaosOperator;
  readonly paying: PayingOperator;
}

const oneUnit = 100_000_000n;

/** An operator that pays for its players, who pay from their wallets at another one. */
export async function createOperators(system: ChaosSystem): Promise<Operators> {
  const baseUrl = system.gatewayUrls[0] as string;
  const { hostname: host, port } = new URL(baseUrl);
  const { dataDirectory, walletUrl, walletMetricsUrl } = system;
  const admin = system.administrator();
  const jackpot = await makeJackpot({ host, port: Number(port), credentials: { admin } });
  const credentials = { admin, wallet_url: walletUrl, ops_url: walletMetricsUrl };
  const paying = await PayingOperator.open({ baseUrl, dataDirectory, credentials });
  return {
    paying,
    free: {
      kind: 'free',
      operator: 'bench',
      instance: jackpot.instance,
      service: { username: 'bench-service', password: 'a long and good one' },
      wagers: ['0.10', '1.00', '2.50', '17.30', '100.00'],
      contributionOf: (wagerAtoms) => wagerAtoms / 100n,
      body: (player, key, wager) => ({
        token: 'a-session',
        brand_id: jackpot.brand,
        player_id: `player-${player}`,
        player_country: 'DE',
        base_wager: wager,
        currency: 'EUR',
        gameround_id: `round-${key}`,
        idempotency_key: key,
      }),
    },
    paid: {
      kind: 'paid',
      operator: payingOwner,
      instance: paying.instance,
      service: { username: 'payers-service', password: 'a long and good one' },
      wagers: ['1'],
      contributionOf: () => oneUnit,
      body: (player, key) => ({
        ...paying.contribution(player % 10, key, payingBrand),
        gameround_id: `round-${key}`,
      }),
    },
  };
}
