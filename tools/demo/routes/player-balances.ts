import { callWallet, type DemoWallet } from '../wallet-call.ts';
import type { BalanceView, DemoBalance } from './read-balance.ts';

/** Anybody may look at the page, and often: an answer serves all who ask within this time. */
const freshMs = 250;

/**
 * Asks the demo's wallet what its players have, one request a player at a time.
 * @param walletOf null while there is no wallet.
 */
export function demoBalances(walletOf: () => DemoWallet | null): DemoBalance {
  const asked = new Map<string, { readonly atMs: number; readonly answer: Promise<BalanceView | null> }>();
  return (brand, player) => {
    const known = asked.get(player);
    const nowMs = performance.now();
    if (known !== undefined && nowMs - known.atMs < freshMs) return known.answer;
    const answer = ask(walletOf(), brand, player);
    asked.set(player, { atMs: nowMs, answer });
    return answer;
  };
}

async function ask(wallet: DemoWallet | null, brand: string, player: string): Promise<BalanceView | null> {
  if (wallet === null) return null;
  const found = await callWallet(wallet, 'GET', `/control/players/${brand}/${player}`);
  if (found?.status !== 200) return null;
  const { currency, balance } = found.body as BalanceView;
  return { currency, balance };
}
