import { masked } from '../feed/masked.ts';
import type { Won } from '../feed/messages.ts';
import { parseAtoms } from '../money/decimal.ts';

interface WinnerRecord {
  readonly win_pot_id: string;
  readonly win_amount: number | string;
  readonly jackpot_currency: string;
  readonly player_id: string;
  readonly timestamp: number;
  readonly brand_id: string;
}

const requestTimeoutMs = 8000;
const winnersAsked = 10;

/** The latest winners from before the page was opened; none where the winners cannot be read. */
export async function readWinners(instanceId: string, brandIds: readonly string[]): Promise<Won[]> {
  const winners: Won[] = [];
  for (const brandId of brandIds) {
    const address = `/v1/jackpot/instances/${encodeURIComponent(instanceId)}/winners`;
    const query = `?limit=${winnersAsked}&brand_id=${encodeURIComponent(brandId)}`;
    try {
      const response = await fetch(address + query, { signal: AbortSignal.timeout(requestTimeoutMs) });
      if (!response.ok) return winners;
      for (const record of (await response.json()) as WinnerRecord[]) winners.push(wonOf(instanceId, record));
    } catch {
      return winners;
    }
  }
  return winners;
}

function wonOf(instanceId: string, record: WinnerRecord): Won {
  return {
    kind: 'won',
    instanceId,
    counter: 0,
    timestampMs: record.timestamp,
    pot: record.win_pot_id,
    atoms: parseAtoms(record.win_amount) ?? 0n,
    currency: record.jackpot_currency,
    player: masked(record.player_id),
    brandId: record.brand_id,
    cycle: 0,
  };
}
