import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../../outbox/support/receiver.ts';
import { type Answer, callGateway } from '../../support/call.ts';
import { oneSystem } from '../../support/one-system.ts';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** Simulations of a running system: asked of a gateway, played by the role `reporting`, on a thread. */
let system: RunningSystem;
let admin = '';
const patienceMs = 240_000;

beforeAll(async () => {
  system = await oneSystem();
  admin = await loggedIn(`${system.baseUrl}/auth/admin`, system.credentials.admin);
}, patienceMs);

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  callGateway(system.baseUrl, method, path, body, admin);

async function begun(body: object): Promise<string> {
  let answer: Answer | null = null;
  await eventually(async () => {
    answer = await call('POST', '/config/simulations', body);
    return answer.status !== 503;
  }, 'a simulation is begun');
  expect(answer!.status, answer!.text).toBe(202);
  return answer!.json.id;
}

async function over(id: string) {
  let json = { state: '', progress: 0 } as Answer['json'];
  await eventually(async () => {
    const before = json.progress;
    ({ json } = await call('GET', `/config/simulations/${id}`));
    expect(json.progress).toBeGreaterThanOrEqual(before);
    return !['waiting', 'running'].includes(json.state);
  }, 'the simulation is over');
  return json;
}

test(
  'a template and the same configuration as a file give the same report',
  async () => {
    const file = new URL('../../../examples/every-time.json', import.meta.url);
    const {
      name: _name,
      description: _text,
      owner_id: _owner,
      id: _id,
      ...configuration
    } = JSON.parse(readFileSync(file, 'utf8'));
    const made = { ...configuration, owner_id: 'demo', id: 'simulated', name: 'Simulated' };
    expect((await call('POST', '/config/templates', made)).status).toBe(201);
    const choices = { owner_id: 'demo', contributions: 5_000, players: 50, seed: 'e2e' };
    const one = await over(await begun({ ...choices, template_id: 'simulated' }));
    const two = await over(await begun({ ...choices, configuration }));
    expect(one).toMatchObject({ state: 'done', progress: 1, message: null });
    expect(one.report).toEqual(two.report);
    const { report } = one;
    expect(report).toMatchObject({ contributions: 5_000, seed: 'e2e', status: 'Active' });
    const paid = report.pots.reduce((sum: number, pot: { paid: string }) => sum + Number(pot.paid), 0);
    expect(paid).toBeCloseTo(Number(report.paid_to_players), 6);
    expect(report.pots[0].wins).toBeGreaterThan(0);
    // Every contribution of 0.01 or more wins, and the smallest of the mix is as large.
    expect(report.pots[0].first_contribution_win_chance).toBe('1');
  },
  patienceMs,
);

test(
  'a long one says how far it is, is ended by the next of its account, and forgotten',
  async () => {
    const long = { owner_id: 'demo', template_id: 'three-pots', contributions: 1_000_000 };
    const first = await begun(long);
    const second = await begun({ ...long, contributions: 100 });
    expect(await over(first)).toMatchObject({ state: 'failed', report: null });
    expect(await over(second)).toMatchObject({ state: 'done' });
    expect((await call('DELETE', `/config/simulations/${second}`)).status).toBe(204);
    const { status, json } = await call('GET', `/config/simulations/${second}`);
    expect([status, json.code]).toEqual([404, 'simulation_not_found']);
  },
  patienceMs,
);
