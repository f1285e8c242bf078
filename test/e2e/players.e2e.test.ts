import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorClient } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

/** A player's session on the whole product: the reference wallet authenticates it, and it leaves no trace. */
describe('players of a brand with a wallet', () => {
  let dataDirectory: string;
  let system: RunningSystem;
  let operator: OperatorClient;
  let instance: string;

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'potstream-players-'));
    system = await startSystem({
      args: ['--no-traffic'],
      dataDirectory,
      environment: { POTSTREAM_LOG_LEVEL: 'trace' },
    });
    operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
    instance = (await lookup()).body.id;
  });
  afterAll(async () => {
    await system?.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

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
      expect([player.player_id, answer.status]).toEqual([player.player_id, 200]);
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

  it('leave their tokens in no stream, snapshot or log line', async () => {
    expect(await system.stop()).toBe(0);
    const tokens = [...system.credentials.players.map((player) => player.token), 'nobody-has-this-token'];
    const files = await readdir(dataDirectory, { recursive: true, withFileTypes: true });
    const looked: string[] = [];
    for (const file of files.filter((entry) => entry.isFile() && entry.name !== 'credentials.json')) {
      const path = join(file.parentPath, file.name);
      const bytes = await readFile(path);
      for (const token of tokens) expect([path, bytes.includes(token)]).toEqual([path, false]);
      looked.push(path);
    }
    expect(looked.some((path) => path.endsWith('.blk'))).toBe(true);
    expect(looked.some((path) => path.endsWith('.log'))).toBe(true);
    expect(looked.some((path) => path.includes('reference-wallet'))).toBe(true);
    for (const token of tokens) expect(system.output()).not.toContain(token);
  });
});
