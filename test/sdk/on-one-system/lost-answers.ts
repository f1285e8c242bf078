import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Contribution,
  ContributionError,
  createPotstream,
  type InstanceContribution,
  type Potstream,
} from '../../../sdk/src/index.ts';
import { oneSystem } from '../../support/one-system.ts';
import type { RunningSystem } from '../../support/system.ts';
import { type Fate, type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { administratorOf, practiceInstance } from '../support/practice.ts';

/** Exactly once, on the whole product: every contribution wins, so the list of winners counts the contributions. */
const patienceMs = 240_000;
const contributions = 200;
const atOnce = 10;

let system: RunningSystem;
let proxy: LossyProxy;
let instance: string;
beforeAll(async () => {
  system = await oneSystem();
  instance = await practiceInstance(await administratorOf(system));
  proxy = await startLossyProxy(system.baseUrl, worstCases());
}, patienceMs);
afterAll(async () => {
  await proxy?.stop();
}, patienceMs);

/** Every order of three fates in turn, so that each fate follows each other one, deliveries between them. */
function worstCases(): () => Fate {
  const fates: readonly Fate[] = ['deliver', 'lose answer', 'lose request', 'busy', 'bad gateway'];
  let asked = 0;
  return () => {
    asked += 1;
    return fates[(asked * 7 + Math.floor(asked / 5) * 3) % fates.length] as Fate;
  };
}

it(
  'a contribution whose answers get lost is applied once, and its win is known',
  async () => {
    const potstream = createPotstream({
      baseUrl: proxy.baseUrl,
      credentials: system.credentials.service,
      retry: { maxAttempts: 4 },
    });
    const open = Array.from({ length: contributions }, (_, index) => bodyOf(index));
    const answers: Contribution[] = [];
    const work = async () => {
      for (let body = open.pop(); body !== undefined; body = open.pop())
        answers.push(await surely(potstream, body));
    };
    await Promise.all(Array.from({ length: atOnce }, work));

    const { data: winners = [] } = await potstream.api.GET('/v1/jackpot/instances/{instance_id}/winners', {
      params: { path: { instance_id: instance }, query: { limit: 500 } },
    });
    expect(new Set(answers.map(({ contribution_id }) => contribution_id)).size).toBe(contributions);
    expect(winners).toHaveLength(contributions);
    const amounts = (all: readonly { readonly win_amount: string | null }[]) =>
      all.map((one) => one.win_amount).sort();
    expect(amounts(answers)).toEqual(amounts(winners));
    const replays = answers.filter(({ replayed }) => replayed);
    expect(replays.length).toBeGreaterThan(10);
    expect(
      replays.every(({ win_pot_id, instance_id }) => win_pot_id === 'practice' && instance_id === instance),
    ).toBe(true);
    expect(new Set(proxy.fates).size).toBe(5);
  },
  patienceMs,
);

function bodyOf(index: number): InstanceContribution {
  return {
    token: 'player-session',
    brand_id: 'demo:direct',
    player_id: `player-${index % 7}`,
    player_country: 'DE',
    // Wins of different amounts.
    base_wager: `${1 + (index % 9)}.${index % 10}7`,
    currency: 'EUR',
  };
}

/** Where the SDK gives up, the caller keeps the key. */
async function surely(potstream: Potstream, body: InstanceContribution): Promise<Contribution> {
  try {
    return await potstream.contributeToInstance(instance, body);
  } catch (error) {
    if (!(error instanceof ContributionError)) throw error;
    expect(['no_answer', 'unexpected_answer', 'overloaded']).toContain(error.code);
    return surely(potstream, { ...body, idempotency_key: error.idempotency_key });
  }
}
