import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runLoad } from '../lib/load-process.ts';
import type { Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';
import type { AttackPlan, AttackReport } from '../neighbour/attacker.ts';
import { makeTenants, type QuietTenant } from '../neighbour/tenants.ts';

const rate = 500;
const connections = 16;
const loginEveryMs = 60_000;
/** POTSTREAM_NEIGHBOUR_SECONDS=600 runs it for ten minutes. */
const seconds = Number(process.env.POTSTREAM_NEIGHBOUR_SECONDS ?? '60');

/** One tenant at its worst beside another that sends 500 contributions a second and logs in now and then. */
export async function measure(): Promise<Row> {
  const system = await startSystem({ POTSTREAM_DEVELOPMENT: '1' });
  try {
    const { quiet, attack, administratorToken } = await makeTenants(system);
    const base = `http://${system.host}:${system.port}`;
    const plan = planOf(quiet, system.host, system.port);
    const before = await watched(plan, quiet, base);
    const attacker = startAttack(attack);
    const beside = await watched(plan, quiet, base);
    const attacks = await attacker.stop();
    const after = await watched(plan, quiet, base);
    const counted = await contributions(base, quiet.instance, await administratorToken());
    const sent = [before, beside, after].reduce((sum, { applied }) => sum + applied, 0);
    const calm = [before.load.p99Ms, after.load.p99Ms];
    const quietP99 = spread(calm).median;
    const ratio = beside.load.p99Ms / quietP99;
    return {
      name: 'neighbour',
      title: `A tenant that sends ${rate} contributions a second beside one at its worst, ${seconds} s`,
      figures: [
        {
          name: 'p99 beside the attacks',
          unit: 'ms',
          ours: spread([beside.load.p99Ms]),
          yardstick: { name: 'the same alone, before and after', value: spread(calm) },
          ratio: spread([ratio]),
          must: 'at most 2',
          aim: '1',
          reached: ratio <= 2,
        },
        figure('requests that were refused, or failed', beside.refused),
        figure('log-ins that were refused', beside.refusedLogins),
        figure('contributions that were answered 200 and are not counted', Math.max(0, sent - counted)),
      ],
      notes: [
        `p50 beside ${beside.load.p50Ms.toFixed(1)} ms, before ${before.load.p50Ms.toFixed(1)} ms; slowest ${beside.load.maxMs.toFixed(0)} ms`,
        `log-ins beside the attacks: ${beside.logins}`,
        ...Object.entries(attacks).map(([name, answers]) => `${name}: ${JSON.stringify(answers)}`),
      ],
      processors: [],
    };
  } finally {
    await system.stop();
  }
}

function figure(name: string, count: number) {
  return {
    name,
    unit: '',
    ours: spread([count]),
    yardstick: null,
    ratio: null,
    must: '0',
    aim: '0',
    reached: count === 0,
  };
}

interface Watched {
  readonly load: LoadReport;
  readonly applied: number;
  readonly refused: number;
  readonly logins: number;
  readonly refusedLogins: number;
}

async function watched(plan: LoadPlan, { user }: QuietTenant, base: string): Promise<Watched> {
  let logins = 0;
  let refusedLogins = 0;
  const login = async (): Promise<void> => {
    const answer = await fetch(`${base}/v1/auth/service`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    }).catch(() => null);
    logins += 1;
    if (answer?.status !== 200) refusedLogins += 1;
  };
  const first = setTimeout(login, 5_000);
  const timer = setInterval(login, loginEveryMs);
  const load = await runLoad(plan);
  clearTimeout(first);
  clearInterval(timer);
  const applied = load.statuses['200'] ?? 0;
  return { load, applied, refused: load.requests - applied + load.failures, logins, refusedLogins };
}

function startAttack(attack: AttackPlan): { stop(): Promise<AttackReport> } {
  const script = fileURLToPath(new URL('../neighbour/attacker.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  // The attacker's own work is not what is measured.
  setPriority(child.pid as number, constants.priority.PRIORITY_LOW);
  child.stdin.write(`${JSON.stringify(attack)}\n`);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return {
    async stop() {
      child.stdin.end();
      await once(child, 'exit');
      return JSON.parse(output) as AttackReport;
    },
  };
}

/** What the instance has counted, those of the warm-up included. */
async function contributions(base: string, instance: string, token: string): Promise<number> {
  const answer = await fetch(`${base}/config/instances/${instance}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { total_contributions: number }).total_contributions;
}

function planOf({ instance, token }: QuietTenant, host: string, port: number): LoadPlan {
  const body = {
    token: 'session',
    brand_id: 'quiet:main',
    player_id: 'load-player-1',
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: 'key-@@@@@@@@@@@@',
  };
  return {
    host,
    port,
    path: `/v1/jackpot/instances/${instance}/contributions`,
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    connections: connections,
    durationMs: seconds * 1000,
    warmupMs: 2_000,
    rate: rate,
  };
}
