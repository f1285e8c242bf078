import type { SessionJackpot, SessionPlayer } from './shapes.ts';

const requestTimeoutMs = 8000;

/** The frontend's lookup (O13) with the player's token. null: the jackpot of the source is another one, or nobody could say. */
export async function readOptIn(jackpot: SessionJackpot, player: SessionPlayer): Promise<boolean | null> {
  const source = jackpot.sources[0];
  if (source === undefined || player.token === null) return null;
  const query = new URLSearchParams({ player_id: player.player_id, country_code: player.country });
  const path = `/v1/jackpot/instances/source/${encodeURIComponent(source)}/brand/${player.brand_id}?${query}`;
  const response = await fetch(path, {
    headers: { 'X-Player-Token': player.token },
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  if (!response.ok) return null;
  const view = (await response.json()) as { id: string; optin_status?: { opted_in: boolean } };
  return view.id === jackpot.instance_id ? (view.optin_status?.opted_in ?? null) : null;
}

/** O14, as the player's frontend calls it. null: done; else why not. */
export async function sendOptIn(
  jackpot: SessionJackpot,
  player: SessionPlayer,
  optIn: boolean,
): Promise<string | null> {
  if (player.token === null) return 'This player has no session.';
  const response = await fetch(`/v1/jackpot/instances/${jackpot.instance_id}/opt-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Player-Token': player.token },
    body: JSON.stringify({
      player_id: player.player_id,
      brand_id: player.brand_id,
      player_country: player.country,
      opt_in: optIn,
      contribution_currency: player.currency,
    }),
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  if (response.ok) return null;
  const refusal = (await response.json().catch(() => null)) as { message?: string } | null;
  return refusal?.message ?? `The service answered ${response.status}.`;
}
