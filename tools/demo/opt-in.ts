import { type Api, DemoRefused } from './api.ts';
import { demoPlayers } from './fixtures.ts';

interface JackpotView {
  readonly optin_status: { readonly last_updated: number };
}

/** Opts the demo's players in to the jackpot of a source; players who ever opted in or out are left alone. */
export async function optInPlayers(
  api: Api,
  serviceToken: () => Promise<string>,
  source: string,
  instance: string,
): Promise<void> {
  for (const { player, brand, country, currency } of demoPlayers) {
    const token = await serviceToken();
    const lookup = `/v1/operator/jackpot/instances/source/${source}/brand/${brand}?player_id=${player}&country_code=${country}`;
    const found = await api.call('GET', lookup, undefined, token);
    if (found.status !== 200) throw new DemoRefused('GET', lookup, found);
    if ((found.body as JackpotView).optin_status.last_updated !== 0) continue;
    const path = `/v1/jackpot/instances/${instance}/opt-in`;
    const body = {
      player_id: player,
      brand_id: brand,
      player_country: country,
      opt_in: true,
      contribution_currency: currency,
    };
    const answer = await api.call('POST', path, body, token);
    if (answer.status !== 204) throw new DemoRefused('POST', path, answer);
  }
}
