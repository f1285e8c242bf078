import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AdministratorClient, OperatorClient } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

const SENDERS = 6;
const TRAFFIC_BEFORE_KILL_MS = 1_500;
const TRAFFIC_AFTER_RECOVERY_MS = 1_500;

interface Sent {
  readonly key: string;
  readonly player: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** kill -9 of each process during traffic: nothing acknowledged is lost, nothing is doubled, the books stay balanced. */
describe('kill -9 during traffic', () => {
  let system: RunningSystem;
  let operator: OperatorClient;
  let administrator: AdministratorClient;
  let instance: string;

  beforeAll(async () => {
    system = await startSystem({ args: ['--no-traffic'] });
    operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
    administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
    const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
    instance = ((await lookup.json()) as { id: string }).id;
  });

  afterAll(async () => {
    await system?.stop();
  });

  it.each(['gateway', 'actors', 'fanout', 'wallet', 'nats-server', 'gateway+actors'])(
    'survives the end of %s',
    async (role) => {
      const before = await totalContributions();
      const traffic = startTraffic(role);
      await pause(TRAFFIC_BEFORE_KILL_MS);
      await Promise.all(role.split('+').map((one) => system.kill(one)));
      await system.ready();
      await pause(TRAFFIC_AFTER_RECOVERY_MS);
      const sent = await traffic.stop();

      expect(sent.length).toBeGreaterThan(SENDERS);
      expect((await totalContributions()) - before).toBe(sent.length);
      expect(new Set(sent.map((one) => one.headers['x-contribution-id'])).size).toBe(sent.length);
      for (const one of sent.slice(-40)) {
        const repeated = await operator.contributeSurely(instance, contribution(one.key, one.player));
        expect(repeated.status).toBe(204);
        expect(repeated.headers).toEqual(one.headers);
      }
      expect(await conservationSum()).toBe('0');
    },
  );

  function startTraffic(role: string): { stop(): Promise<Sent[]> } {
    let running = true;
    const sent: Sent[] = [];
    const senders = Array.from({ length: SENDERS }, async (_, sender) => {
      for (let n = 0; running; n += 1) {
        const key = `${role}-${sender}-${n}`;
        const player = sender;
        const answer = await operator.contributeSurely(instance, contribution(key, player));
        // A first answer that got lost shows as 204 with the first one's headers: it counts once either way.
        expect([200, 204]).toContain(answer.status);
        if (answer.status === 204) expect(answer.tries).toBeGreaterThan(1);
        sent.push({ key, player, headers: answer.headers });
      }
    });
    return {
      async stop() {
        running = false;
        await Promise.all(senders);
        return sent;
      },
    };
  }

  function contribution(key: string, player: number): Record<string, unknown> {
    const { players } = system.credentials;
    const { player_id, token, currency } = players[player % players.length]!;
    return {
      token,
      brand_id: 'demo:main',
      player_id,
      player_country: 'DE',
      gameround_id: `round-${key}`,
      base_wager: 1,
      currency,
      idempotency_key: key,
    };
  }

  async function totalContributions(): Promise<number> {
    const answer = await administrator.call('GET', `/config/instances/${instance}`);
    expect(answer.status).toBe(200);
    return (answer.body as { total_contributions: number }).total_contributions;
  }

  async function conservationSum(): Promise<string> {
    const answer = await fetch(`${system.baseUrl}/v1/fairness/instances/${instance}/conservation`);
    expect(answer.status).toBe(200);
    return String(((await answer.json()) as { sum: number }).sum);
  }
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
