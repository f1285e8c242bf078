import { administratorOf, callerOf } from '../lib/http.ts';
import { runLoad } from '../lib/load-process.ts';
import type { RunningSystem } from '../lib/system.ts';

/** How much there is: POTSTREAM_LISTS_PART=0.1 makes a tenth of it. */
const part = Number(process.env.POTSTREAM_LISTS_PART ?? '1');
export const counts = {
  sources: Math.ceil(100_000 * part),
  instances: Math.ceil(10_000 * part),
  optIns: Math.ceil(1_000_000 * part),
} as const;

const owner = 'lists';
export const brand = `${owner}:main`;
const service = { username: 'lists-service', password: 'a long and good one' };
const sourcesPerRequest = 1_000;
const rowsPerUpload = 50_000;
const parallelWrites = 32;
/** How long players contribute for tickets, each another one. */
const contributeMs = 12_000 * part;

export interface ListsWorld {
  readonly owner: string;
  readonly brand: string;
  /** The instance with the opt-ins and the tickets. */
  readonly raffle: string;
  /** Players who have one. */
  readonly tickets: number;
  readonly administrator: string;
  readonly service: string;
  /** What it took to make it. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** The data of the largest operator, made through the API as an operator would. */
export async function makeListsWorld(system: RunningSystem): Promise<ListsWorld> {
  const call = callerOf(system);
  const administrator = await administratorOf(system);
  const config = (path: string, body: unknown) => call('POST', `/config${path}`, body, administrator);
  await config('/operators', [{ id: owner, name: 'Lists' }]);
  await config(`/operators/${owner}/brands`, [{ id: 'main', name: 'Main' }]);
  await config('/service-users', { ...service, operator_id: owner });
  const { token } = (await call('POST', '/v1/auth/service', service)) as { token: string };
  await config('/templates', jackpotTemplate);
  await config('/templates', raffleTemplate);
  const seconds: Record<string, number> = {};
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const beganAt = performance.now();
    await work();
    seconds[what] = (performance.now() - beganAt) / 1000;
    process.stderr.write(`  ${what}: ${seconds[what].toFixed(1)} s\n`);
  };
  const raffle = await makeRaffle(config);
  await timed('sources', () =>
    inParallel(counts.sources / sourcesPerRequest, 4, (n) => config('/sources', sources(n))),
  );
  await timed('instances', () =>
    inParallel(counts.instances, parallelWrites, (n) =>
      config('/instances', {
        template_owner_id: owner,
        template_id: 'plain',
        owner_id: owner,
        name: `Instance ${scattered(n)}`,
        group: `${owner}:group-${n % 64}`,
      }),
    ),
  );
  await timed('opt-ins', () =>
    inParallel(Math.ceil(counts.optIns / rowsPerUpload), 1, (n) =>
      upload(system, administrator, optIns(raffle, n)),
    ),
  );
  let tickets = 0;
  await timed('tickets', async () => {
    tickets = await contribute(system, token, raffle);
  });
  return { owner, brand, raffle, tickets, administrator, service: token, seconds };
}

async function makeRaffle(config: (path: string, body: unknown) => Promise<unknown>): Promise<string> {
  const made = { template_owner_id: owner, template_id: 'raffle', owner_id: owner, name: 'Raffle' };
  const { id } = (await config('/instances', made)) as { id: string };
  for (let tries = 0; ; tries += 1) {
    // The instance may become Active once its owner has committed to its first draws.
    const answer = await config(`/instances/${id}/status`, { status: 'Active', reason: 'bench' }).catch(
      (error: unknown) => error,
    );
    if (!(answer instanceof Error)) return id;
    if (tries === 100) throw answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Not in the order in which they are made. */
function scattered(n: number): string {
  return ((n * 2_654_435_761) >>> 0).toString(36);
}

function sources(request: number): object[] {
  return Array.from({ length: Math.min(sourcesPerRequest, counts.sources) }, (_, index) => {
    const n = request * sourcesPerRequest + index;
    return {
      owner_id: n % 2 === 0 ? owner : brand,
      source_id: `source-${n}`,
      source_name: `Slot ${scattered(n)}`,
      jackpots: [],
    };
  });
}

function optIns(instance: string, request: number): string {
  const first = request * rowsPerUpload;
  const count = Math.min(rowsPerUpload, counts.optIns - first);
  const rows = Array.from(
    { length: count },
    (_, index) => `${instance},${brand},player-${first + index},EUR,true`,
  );
  return `instance_id,brand_id,player_id,currency,opt_in\n${rows.join('\n')}\n`;
}

async function upload({ host, port }: RunningSystem, token: string, table: string): Promise<void> {
  const answer = await fetch(`http://${host}:${port}/config/opt-ins/bulk`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', authorization: `Bearer ${token}` },
    body: table,
  });
  const text = await answer.text();
  if (answer.status !== 200 || text !== '{"errors":{}}')
    throw new Error(`${answer.status} ${text.slice(0, 300)}`);
}

/** A contribution of each of many players; gives how many have a ticket then. */
async function contribute({ host, port }: RunningSystem, token: string, raffle: string): Promise<number> {
  const { requests, statuses } = await runLoad({
    host,
    port,
    path: `/v1/jackpot/instances/${raffle}/contributions`,
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      token: 'session',
      brand_id: brand,
      player_id: 'ticket-@@@@@@@@@@@@',
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
    }),
    connections: 64,
    durationMs: contributeMs,
    warmupMs: 0,
    rate: 0,
  });
  if (statuses['200'] !== requests) throw new Error(`contributions: ${JSON.stringify(statuses)}`);
  return requests;
}

/** `count` pieces of work, at most `width` at a time. */
async function inParallel(
  count: number,
  width: number,
  each: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      await each(n);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}

const jackpotTemplate = {
  owner_id: owner,
  id: 'plain',
  name: 'Plain',
  description: '',
  jackpot_type: 'Jackpot',
  currency: 'EUR',
  contribution_rules: { contribution_type: { Percentage: '0.01' }, opt_in_required: false },
  pots: [
    {
      id: 'pot',
      contribution: { Percentage: 1 },
      pot_types: [{ HitRate: { max_magic_number: 1_000_000, cost_per_attempt: '1' } }],
    },
  ],
};

const raffleTemplate = {
  owner_id: owner,
  id: 'raffle',
  name: 'Raffle',
  description: '',
  jackpot_type: 'Raffle',
  currency: 'EUR',
  contribution_rules: { contribution_type: { Percentage: '0.02' }, opt_in_required: false },
  raffle_rules: {
    cost_per_ticket: '1',
    cost_source: 'BaseWager',
    allocation_mode: 'Instant',
    duration: { Days: 1 },
    prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 1 }],
  },
  pots: [{ id: 'main', contribution: { Percentage: 1 } }],
};
