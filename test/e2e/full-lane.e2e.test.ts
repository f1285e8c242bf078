import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fnv1a32 } from '../../src/lib/hashes.ts';
import { AdministratorClient, OperatorClient } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

const lanes = 2;
const callers = 12;
const patienceMs = 120_000;
const mebibyte = 1024 * 1024;

/** One tenant fills its lane: everybody else goes on, and a wider setting heals it. */
describe('a lane that one tenant has filled', () => {
  let dataDirectory: string;
  let system: RunningSystem;
  let operator: OperatorClient;
  let administrator: AdministratorClient;
  let filled: string;
  let other: string;
  const accepted: { key: string; headers: Readonly<Record<string, string>> }[] = [];

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'potstream-full-'));
    await start(4 * mebibyte);
    const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
    filled = ((await lookup.json()) as { id: string }).id;
    other = await instanceOfAnotherLane();
  });

  afterAll(async () => {
    await system?.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('refuses contributions clearly, while the other lane takes them', async () => {
    const refusals = await Promise.all(Array.from({ length: callers }, (_, caller) => fill(caller)));
    expect(new Set(refusals)).toEqual(new Set(['storage_unavailable']));
    expect(accepted.length).toBeGreaterThan(callers);
    expect((await operator.contribute(other, contribution('beside'))).status).toBe(200);
    // They lack a role that is too busy to answer at once.
    const shows = (lane: number, full: number) =>
      expect
        .poll(metrics, { timeout: patienceMs, interval: 500 })
        .toMatch(new RegExp(`potstream_actors_lane_full\\{.*lane="${lane}".*\\} ${full}`));
    await shows(laneOf('demo'), 1);
    await shows(1 - laneOf('demo'), 0);
  });

  it('is owned again after a kill, reveals its epochs and shows its pots', async () => {
    const before = await revealedEpochs();
    await system.kill('actors');
    await system.ready();
    await until(async () => (await revealedEpochs()) > before, 'another epoch is revealed');
    const ticker = await fetch(`${system.baseUrl}/v1/jackpot/instances/${filled}/ticker`);
    expect(ticker.status).toBe(200);
    // A new owner reckons the room anew: what is at the edge of the reserve may be taken once more.
    for (let more = 0; (await fillOnce(`still-${more}`)) !== 'storage_unavailable'; more += 1);
    expect((await operator.contribute(other, contribution('beside again'))).status).toBe(200);
    expect(await conservationSum()).toBe('0');
  });

  it('takes contributions again after a start with a wider setting, and has lost nothing', async () => {
    await system.stop();
    await start(64 * mebibyte);
    const answer = await operator.contributeSurely(filled, contribution('after'));
    expect(answer.status).toBe(200);
    for (const { key, headers } of accepted.slice(-20)) {
      const repeated = await operator.contributeSurely(filled, contribution(key));
      expect(repeated).toMatchObject({ status: 204, headers });
    }
    const { body } = await administrator.call('GET', `/config/instances/${filled}`);
    expect((body as { total_contributions: number }).total_contributions).toBe(accepted.length + 1);
    expect(await conservationSum()).toBe('0');
  });

  async function start(maxBytes: number): Promise<void> {
    system = await startSystem({
      args: ['--no-traffic'],
      dataDirectory,
      environment: {
        POTSTREAM_LANES: String(lanes),
        POTSTREAM_STREAM_MAX_BYTES: String(maxBytes),
        POTSTREAM_EPOCH_SECONDS: '5',
        // A full lane would be archived and trimmed within seconds.
        POTSTREAM_ARCHIVE: 'off',
      },
    });
    operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
    administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
  }

  /** Contributions with as much text as may be, until one is refused for want of room. */
  async function fill(caller: number): Promise<string> {
    for (let round = 0; ; round += 1) {
      const refusal = await fillOnce(`fill-${caller}-${round}`);
      if (refusal !== null) return refusal;
    }
  }

  /** The code of the refusal; null: it was taken. */
  async function fillOnce(key: string): Promise<string | null> {
    const body = { ...contribution(key), event_metadata: { text: 'm'.repeat(8_000) } };
    const answer = await operator.contribute(filled, body);
    if (answer.status === 503) return String(answer.body?.code);
    expect(answer.status).toBe(200);
    accepted.push({ key, headers: answer.headers });
    return null;
  }

  async function instanceOfAnotherLane(): Promise<string> {
    const names = Array.from({ length: 50 }, (_, index) => `demo:beside-${index}`);
    const group = names.find((name) => laneOf(name) !== laneOf('demo'))!;
    // The demo takes an instance of its template for its own when it starts again.
    const template = await administrator.call('GET', '/config/templates/demo/three-pots');
    const copy = { ...(template.body as object), owner_id: 'demo', id: 'beside' };
    expect((await administrator.call('POST', '/config/templates', copy)).status).toBe(201);
    const created = await administrator.call('POST', '/config/instances', {
      template_owner_id: 'demo',
      template_id: 'beside',
      owner_id: 'demo',
      name: 'Beside',
      group,
    });
    expect(created.status).toBe(201);
    const { id } = created.body as { id: string };
    const status = { status: 'Active', reason: 'it begins' };
    await until(
      async () => (await administrator.call('POST', `/config/instances/${id}/status`, status)).status === 200,
      'the other instance is active',
    );
    return id;
  }

  function contribution(key: string): Record<string, unknown> {
    const { player_id, token, currency } = system.credentials.players[0]!;
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

  async function metrics(): Promise<string> {
    return (await fetch(`${system.credentials.ops_url}/metrics`)).text();
  }

  async function revealedEpochs(): Promise<number> {
    const answer = await fetch(`${system.baseUrl}/v1/fairness/instances/${filled}/epochs?sort_direction=-1`);
    const epochs = (await answer.json()) as { epoch: number; state: string }[];
    return Math.max(-1, ...epochs.filter(({ state }) => state === 'revealed').map(({ epoch }) => epoch));
  }

  async function conservationSum(): Promise<string> {
    const answer = await fetch(`${system.baseUrl}/v1/fairness/instances/${filled}/conservation`);
    return String(((await answer.json()) as { sum: number }).sum);
  }
});

function laneOf(group: string): number {
  return fnv1a32(group) % lanes;
}

async function until(done: () => Promise<boolean>, what: string): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (!(await done())) {
    if (performance.now() > deadlineMs) throw new Error(`${what}: did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
