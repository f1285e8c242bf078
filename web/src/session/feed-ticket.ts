import type { SessionPlayer } from './shapes.ts';

const requestTimeoutMs = 8000;

/** What opens the player's feed once. Throws where there is none now. */
export async function readFeedTicket({ token, brand_id, currency }: SessionPlayer): Promise<string> {
  if (token === null) throw new Error('The player has no session yet.');
  const answer = await fetch('/v1/feed-tickets', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Player-Token': token },
    body: JSON.stringify({ brand_id, currency }),
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  if (!answer.ok) throw new Error(`The ticket was refused with status ${answer.status}.`);
  return ((await answer.json()) as { readonly ticket: string }).ticket;
}
