import { setTimeout as pause } from 'node:timers/promises';
import { owner, type Payers, roundSeconds } from './payers.ts';

/** For so long in all; each step waits for a state. */
const restMs = 600_000;
const askEveryMs = 500;

interface Open {
  readonly id: string;
  readonly state: string;
}

/** Waits until no debit, credit or delivery is open. Deliveries that wait for a later try are sent now, as a person may ask. */
export async function untilRest(payers: Payers): Promise<void> {
  await untilNothingOpen(payers);
  // The round that runs ends, also where it is paused, and has its prizes; the next ones have no tickets.
  await payers.setStatus('raffle', 'Paused');
  await pause(1_500 * roundSeconds);
  await untilNothingOpen(payers);
}

async function untilNothingOpen(payers: Payers): Promise<void> {
  const untilMs = performance.now() + restMs;
  let open: readonly string[] = [];
  for (let quiet = 0; quiet < 2; ) {
    open = await openOf(payers);
    quiet = open.length === 0 ? quiet + 1 : 0;
    if (performance.now() > untilMs) throw new Error(`still open: ${open.slice(0, 20).join(', ')}`);
    await pause(askEveryMs);
  }
}

async function openOf(payers: Payers): Promise<readonly string[]> {
  const query = `owner_id=${owner}&limit=500`;
  const settlements = await payers.ask<readonly Open[]>('GET', `/config/settlements?${query}`);
  const deliveries = await payers.ask<readonly Open[]>('GET', `/config/deliveries?${query}`);
  if (settlements === null || deliveries === null) return ['nobody answers'];
  for (const { id } of deliveries) await payers.ask('POST', `/config/deliveries/${id}/replay`, {});
  return [
    ...settlements.map(({ id, state }) => `settlement ${id} ${state}`),
    ...deliveries.map(({ id, state }) => `delivery ${id} ${state}`),
  ];
}
