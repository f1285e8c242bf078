import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runLoad } from '../lib/load-process.ts';
import { cpuSecondsOf, type ProcessUse, processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';
import type { AttackPlan, AttackReport } from '../neighbour/attacker.ts';
import type { StandInPlan } from '../neighbour/stand-in.ts';
import { deafConnections, hostileQuota, makeTenants, type QuietTenant } from '../neighbour/tenants.ts';

const rate = 500;
const connections = 16;
const loginEveryMs = 60_000;
const warmupMs = 2_000;
/** How long the attacks last: POTSTREAM_NEIGHBOUR_SECONDS=600 runs them for ten minutes. */
const attackSeconds = Number(process.env.POTSTREAM_NEIGHBOUR_SECONDS ?? '60');
/** How long each phase without them lasts. */
const quietSeconds = Math.min(60, attackSeconds);

/**
 * One tenant at its worst beside another that sends 500 contributions a second and logs in now and then. The
 * control is the same attacking process, at the same rates, aimed at a server that answers at once: an
 * attacker's clients do not run on the service's cores (docs/decisions/0311).
 */
export async function measure(): Promise<Row> {
  const system = await startSystem({ POTSTREAM_DEVELOPMENT: '1' });
  try {
    const { quiet, attack, administratorToken } = await makeTenants(system);
    const base = `http://${system.host}:${system.port}`;
    const watch = (seconds: number): Promise<Watched> =>
      watched(planOf(quiet, system.host, system.port, seconds), quiet, base, system.pid);
    const before = await watch(quietSeconds);
    const attacker = startAttack(attack);
    const beside = await watch(attackSeconds);
    const { answers, cores } = await attacker.stop();
    const after = await watch(quietSeconds);
    const paces = pacesOf(answers, attackSeconds + warmupMs / 1000);
    const standIn = await startStandIn(paces);
    const elsewhere = startAttack({ ...attack, paces, host: '127.0.0.1', port: standIn.port });
    const control = await watch(quietSeconds);
    const { cores: coresElsewhere } = await elsewhere.stop();
    const coresOfStandIn = standIn.stop(quietSeconds + warmupMs / 1000);
    const counted = await contributions(base, quiet.instance, await administratorToken());
    const sent = [before, beside, after, control].reduce((sum, { applied }) => sum + applied, 0);
    const calm = [before.load.p99Ms, after.load.p99Ms];
    const quietP99 = (before.load.p99Ms + after.load.p99Ms) / 2;
    const ratioOf = (name: string, { load }: Watched, yardstick: Figure['yardstick'], must: number) => {
      const ratio = load.p99Ms / (yardstick?.value.median ?? Number.NaN);
      return {
        name,
        unit: 'ms',
        ours: spread([load.p99Ms]),
        yardstick,
        ratio: spread([ratio]),
        must: Number.isFinite(must) ? `at most ${must}` : '–',
        aim: '1',
        reached: ratio <= must,
      };
    };
    const alone = { name: 'alone, before and after', value: { ...spread(calm), median: quietP99 } };
    const besideClients = {
      name: "beside the attacks' clients, aimed elsewhere",
      value: spread([control.load.p99Ms]),
    };
    return {
      name: 'neighbour',
      title: `A tenant that sends ${rate} contributions a second beside one with a quota at its worst, ${attackSeconds} s`,
      figures: [
        ratioOf('p99 beside the attacks', beside, besideClients, 2),
        ratioOf('p99 beside the attacks', beside, alone, Number.POSITIVE_INFINITY),
        ratioOf("p99 beside the attacks' clients, aimed elsewhere", control, alone, Number.POSITIVE_INFINITY),
        figure('requests that were refused, or failed', beside.refused),
        figure('log-ins that were refused', beside.refusedLogins),
        figure('contributions that were answered 200 and are not counted', Math.max(0, sent - counted)),
      ],
      notes: [
        `the hostile operator has a quota, as an operator of the system would set one: ${JSON.stringify(hostileQuota)}`,
        `attacks: ${attack.only.length === 0 ? 'all at once' : attack.only.join(', ')}`,
        `cores of the attacking process: ${cores.toFixed(2)}; aimed elsewhere: ${coresElsewhere.toFixed(2)}, and ${coresOfStandIn.toFixed(2)} of the server there`,
        ...Object.entries({ beside, before, after, control }).map(
          ([name, { load, use }]) =>
            `${name}: p50 ${load.p50Ms.toFixed(1)} ms, p99 ${load.p99Ms.toFixed(1)} ms, slowest ${load.maxMs.toFixed(0)} ms; cores: ${use}`,
        ),
        `log-ins beside the attacks: ${beside.logins}`,
        ...Object.entries(answers).map(([name, counts]) => `${name}: ${JSON.stringify(counts)}`),
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
  /** Cores that each process used, in words. */
  readonly use: string;
}

async function watched(
  plan: LoadPlan,
  { user }: QuietTenant,
  base: string,
  system: number,
): Promise<Watched> {
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
  const usedBefore = processTree(system);
  const load = await runLoad(plan);
  const use = coresUsed(usedBefore, processTree(system), (plan.durationMs + plan.warmupMs) / 1000);
  clearTimeout(first);
  clearInterval(timer);
  const applied = load.statuses['200'] ?? 0;
  return { load, applied, refused: load.requests - applied + load.failures, logins, refusedLogins, use };
}

function coresUsed(before: readonly ProcessUse[], after: readonly ProcessUse[], seconds: number): string {
  return after
    .map(({ pid, name, cpuSeconds }) => ({
      name: name.replace('potstream ', ''),
      cores: (cpuSeconds - (before.find((each) => each.pid === pid)?.cpuSeconds ?? 0)) / seconds,
    }))
    .filter(({ cores }) => cores >= 0.01)
    .map(({ name, cores }) => `${name} ${cores.toFixed(2)}`)
    .join(', ');
}

interface Attacker {
  stop(): Promise<{ readonly answers: AttackReport; readonly cores: number }>;
}

/** Attempts a second of each attack. */
function pacesOf(answers: AttackReport, seconds: number): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(answers).map(([attack, counts]) => [
      attack,
      Object.values(counts).reduce((sum, count) => sum + count, 0) / seconds,
    ]),
  );
}

interface StandIn {
  readonly port: number;
  /** Gives the cores that it used in these seconds. */
  stop(seconds: number): number;
}

async function startStandIn(paces: Readonly<Record<string, number>>): Promise<StandIn> {
  const script = fileURLToPath(new URL('../neighbour/stand-in.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const pid = child.pid as number;
  yieldToOthers(pid);
  const cutsPerSecond = paces['connections that do not read'];
  const deafForMs = cutsPerSecond === undefined ? null : (deafConnections * 1_000) / cutsPerSecond - 100;
  child.stdin.write(`${JSON.stringify({ deafForMs } satisfies StandInPlan)}\n`);
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    port: Number(String(port)),
    stop(seconds) {
      const cpuSeconds = cpuSecondsOf(pid);
      child.stdin.end();
      return cpuSeconds / seconds;
    },
  };
}

function startAttack(attack: AttackPlan): Attacker {
  const script = fileURLToPath(new URL('../neighbour/attacker.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  yieldToOthers(child.pid as number);
  const begunMs = performance.now();
  child.stdin.write(`${JSON.stringify(attack)}\n`);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return {
    async stop() {
      child.stdin.end();
      await once(child, 'exit');
      const { answers, cpuSeconds } = JSON.parse(output) as { answers: AttackReport; cpuSeconds: number };
      return { answers, cores: (cpuSeconds * 1000) / (performance.now() - begunMs) };
    },
  };
}

/**
 * The attacker's own work is not what is measured: it runs when no other process wants the processor. Where
 * Linux schedules sessions as groups, a priority counts within its session; this file has the session's own.
 */
function yieldToOthers(pid: number): void {
  setPriority(pid, constants.priority.PRIORITY_LOW);
  const group = `/proc/${pid}/autogroup`;
  if (existsSync(group)) writeFileSync(group, String(constants.priority.PRIORITY_LOW));
}

/** What the instance has counted, those of the warm-up included. */
async function contributions(base: string, instance: string, token: string): Promise<number> {
  const answer = await fetch(`${base}/config/instances/${instance}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { total_contributions: number }).total_contributions;
}

function planOf({ instance, token }: QuietTenant, host: string, port: number, seconds: number): LoadPlan {
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
    connections,
    durationMs: seconds * 1000,
    warmupMs,
    rate,
  };
}
