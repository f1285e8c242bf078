import { beforeAll, expect, it } from 'vitest';
import { oneSystem } from '../../support/one-system.ts';
import { firstStatus, OperatorClient } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** A player's session on the whole product: the reference wallet authenticates it. */
let system: RunningSystem;
let operator: OperatorClient;
let instance: string;

beforeAll(async () => {
  system = await oneSystem();
  operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  instance = (await lookup()).body.id;
}, 240_000);

async function lookup(token?: string) {
  const url = `${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/${system.credentials.brand_id}`;
  const answer = await fetch(url, token === undefined ? {} : { headers: { 'x-player-token': token } });
  // biome-ignore lint/suspicious/noExplicitAny: whatever the body says.
  return { status: answer.status, body: (await answer.json()) as any };
}

function contribution(player: RunningSystem['credentials']['players'][number], token = player.token) {
  return {
    token,
    brand_id: system.credentials.brand_id,
    player_id: player.player_id,
    player_country: 'DE',
    base_wager: 1,
    currency: player.currency,
    idempotency_key: `key-of-${player.player_id}`,
  };
}

it('contribute and are known with their tokens, and with no others', async () => {
  expect(system.credentials.wallet_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { players } = system.credentials;
  expect(players.length).toBeGreaterThan(1);
  for (const player of players) {
    const answer = await operator.contributeSurely(instance, contribution(player));
    expect([player.player_id, firstStatus(answer)]).toEqual([player.player_id, 200]);
    const known = await lookup(player.token);
    expect(known.body.optin_status).toMatchObject({
      ext_player_id: player.player_id,
      contribution_count: 1,
    });
  }
  expect((await lookup()).body).not.toHaveProperty('optin_status');
  expect(await lookup('nobody-has-this-token')).toMatchObject({
    status: 401,
    body: { code: 'player_token_invalid' },
  });
});

it('are checked again by a wallet role that was killed, and by a wallet that was', async () => {
  const [player] = system.credentials.players;
  for (const role of ['wallet', 'reference-wallet', 'gateway']) {
    await system.kill(role);
    await system.ready();
    const repeated = await operator.contributeSurely(instance, contribution(player!));
    expect([role, repeated.status]).toEqual([role, 204]);
    const asked = async () => (await lookup(player!.token)).status;
    await expect.poll(asked, { timeout: 60_000, interval: 200 }).toBe(200);
  }
});
