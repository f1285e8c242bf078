import { inspect } from 'node:util';
import type { Plan } from './plan.ts';

/** Enough for any plan of a seed; more would be a plan that fails now and then. */
const maxTrials = 400;

/**
 * The smallest plan that `fails` in the same way: fewer faults and calls (delta debugging), no losses, fewer processes. What is left
 * is needed: without any one of it the history passes.
 */
export async function minimise(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let trials = 0;
  let best = plan;
  const improves = async (changes: Partial<Plan>): Promise<boolean> => {
    if (trials >= maxTrials) return false;
    trials += 1;
    const tried = { ...best, ...changes };
    if (!(await fails(tried))) return false;
    best = tried;
    return true;
  };
  for (let size = Number.POSITIVE_INFINITY; sizeOf(best) < size; ) {
    size = sizeOf(best);
    await withFewer(best.faults, (faults) => improves({ faults }));
    await withFewer(best.calls, (calls) => improves({ calls }));
    await withSimpler(best, improves);
  }
  return best;
}

/** What failed, without what differs from history to history. */
export function signatureOf(error: unknown): string {
  const [line = ''] = String((error as Error).message).split(/\n|: expected /);
  return line.replace(/[0-9a-f]{8,}|\d+/g, '#');
}

/** A test file that lives the plan. */
export function asTest(plan: Plan, message: string): string {
  const literal = inspect(plan, { depth: null, maxArrayLength: null, breakLength: 100, compact: 3 });
  const [line = ''] = message.split('\n');
  return `import { it } from 'vitest';
import { livePlan } from '../live.ts';

// ${line}
it('lives the history of seed ${plan.seed}', async () => {
  await livePlan(${literal.replaceAll('\n', '\n  ')});
});
`;
}

function sizeOf({ faults, calls, rates, wallet, clocksMs, hosts, gateways, wallets }: Plan): number {
  const numbers = [...Object.values(rates), wallet.rate, ...clocksMs].filter((value) => value !== 0).length;
  return faults.length + calls.length + numbers + hosts + gateways + wallets;
}

/** Leaves out ever smaller parts, until every single item is needed. */
async function withFewer<T>(
  all: readonly T[],
  improves: (fewer: readonly T[]) => Promise<boolean>,
): Promise<void> {
  let items = all;
  for (let part = Math.ceil(items.length / 2); part >= 1 && items.length > 0; ) {
    let wasReduced = false;
    for (let at = 0; at < items.length; ) {
      const fewer = [...items.slice(0, at), ...items.slice(at + part)];
      if (await improves(fewer)) {
        items = fewer;
        wasReduced = true;
      } else at += part;
    }
    if (part === 1 && !wasReduced) return;
    part = part === 1 ? 1 : Math.ceil(part / 2);
  }
}

async function withSimpler(
  plan: Plan,
  improves: (changes: Partial<Plan>) => Promise<boolean>,
): Promise<void> {
  let { rates } = plan;
  for (const rate of Object.keys(rates) as (keyof Plan['rates'])[]) {
    const simpler = { ...rates, [rate]: rate === 'maxDelayMs' ? 1 : 0 };
    if (rates[rate] !== simpler[rate] && (await improves({ rates: simpler }))) rates = simpler;
  }
  if (plan.wallet.rate > 0) await improves({ wallet: { rate: 0, faults: plan.wallet.faults } });
  if (plan.clocksMs.some((offset) => offset !== 0)) await improves({ clocksMs: plan.clocksMs.map(() => 0) });
  if (plan.gateways > 1) await improves({ gateways: 1 });
  if (plan.wallets > 1) await improves({ wallets: 1 });
  if (plan.hosts > 2) await improves({ hosts: 2 });
}
