import type { WinEvent } from './events.ts';
import { platform } from './platform.ts';
import { readExactly } from './read-event.ts';

const timeoutMs = 10_000;

/** A winner of O10, as `readExactly` reads it. */
interface Winner {
  readonly win_pot_id: string;
  readonly win_amount: string;
  readonly jackpot_currency: string;
  readonly player_id: string;
  readonly timestamp: string;
}

/** The instance's wins after a time, oldest first. @throws where the service does not show them */
export async function readWinners(
  address: string,
  headers: Record<string, string>,
  {
    operator,
    brand,
    instance,
    after,
  }: Readonly<Record<'operator' | 'brand' | 'instance', string>> & { readonly after: number },
): Promise<readonly WinEvent[]> {
  const answer = await platform.fetch(address, { headers, signal: platform.AbortSignal.timeout(timeoutMs) });
  if (!answer.ok)
    throw Object.assign(new Error(`The winners were refused with ${answer.status}.`), {
      status: answer.status,
    });
  const winners = readExactly(await answer.text()) as readonly Winner[];
  const wins = new Map<string, WinEvent>();
  // A win's shares have its time, and come after the winner.
  for (const { win_pot_id, win_amount, jackpot_currency: currency, player_id, timestamp } of winners) {
    if (Number(timestamp) <= after) continue;
    const win = wins.get(`${timestamp} ${win_pot_id}`);
    if (win !== undefined) win.data.community_winners.push({ player_id, win_amount, currency });
    else
      wins.set(`${timestamp} ${win_pot_id}`, {
        msg_type: 'Event',
        source: 'jackpot',
        event_type: 'WinEvent',
        operator_id: operator,
        brand_id: `${operator}:${brand}`,
        player_id,
        instance_id: instance,
        seq: 0,
        timestamp: Number(timestamp),
        data: { win_pot_id, win_amount, currency, player_id, community_winners: [] },
      });
  }
  return [...wins.values()].reverse();
}
