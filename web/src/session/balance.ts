import { parseAtoms } from '../money/decimal.ts';

export interface Balance {
  readonly playerId: string;
  readonly currency: string;
  readonly atoms: bigint;
}

const requestTimeoutMs = 5000;

/** What the player has in the wallet; null: nobody knows now. */
export async function readBalance(playerId: string): Promise<Balance | null> {
  const response = await fetch(`/demo/balance?${new URLSearchParams({ player_id: playerId })}`, {
    signal: AbortSignal.timeout(requestTimeoutMs),
    cache: 'no-store',
  });
  if (!response.ok) return null;
  const { currency, balance } = (await response.json()) as { currency: string; balance: number | string };
  const atoms = parseAtoms(balance);
  return atoms === null ? null : { playerId, currency, atoms };
}
