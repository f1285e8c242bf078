import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { patienceMs, saw, scaled, isWhole } from '../jackpot/checks/scale.ts';
import { Random } from '../jackpot/mixed/random.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';
import { checkBooks } from './money-campaign/books.ts';
import { Callbacks } from './money-campaign/callbacks.ts';
import { Disturber, everyDisturbance, someDisturbances } from './money-campaign/disturber.ts';
import { faultsOf } from './money-campaign/faults.ts';
import { Payers } from './money-campaign/payers.ts';
import { untilRest } from './money-campaign/rest.ts';
import { Moments } from './money-campaign/steps.ts';
import { Traffic } from './money-campaign/traffic.ts';
import { WalletTap } from './money-campaign/wallet-tap.ts';

/**
 * `npm run checks -- money-campaign` kills and stops every process at every step of the flow; `npm test` does so a few
 * times. POTSTREAM_MONEY_SEED repeats a schedule; what the machine makes of it differs each time.
 */
const seed = Number(process.env.POTSTREAM_MONEY_SEED ?? Math.floor(Math.random() * 2 ** 31));
const callers = scaled(24, 160);
const minDebits = scaled(300, 20_000);
const minWins = scaled(24, 2_000);
const hungAfterSeconds = 5;

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

it('every win is paid once, no debit hangs and no callback is lost, whatever dies', { timeout: patienceMs }, async () => {
  console.info(`POTSTREAM_MONEY_SEED=${seed}`);
  const random = new Random(seed);
  const system = await start();
  const moments = new Moments();
  const tap = new WalletTap(system.credentials.wallet_url!, moments, new Random(seed + 1));
  const callbacks = new Callbacks(new Random(seed + 2));
  const walletUrl = await tap.start();
  ends.push(() => tap.stop());
  const callbackUrl = await callbacks.start(moments);
  ends.push(() => callbacks.stop());
  const startedMs = Date.now();
  const payers = await Payers.open(system, walletUrl, callbackUrl);
  const traffic = new Traffic(payers, callbackUrl, moments, new Random(seed + 3));
  const disturber = new Disturber(system, moments);

  tap.resetsOneOf = 60;
  callbacks.failsOneOf = 20;
  traffic.start(callers);
  ends.push(() => traffic.stop());
  for (const each of isWhole ? everyDisturbance(random) : someDisturbances(random)) {
    await payers.setFaults(faultsOf(random));
    await disturber.run([each]);
  }
  while (traffic.accepted < minDebits && traffic.failures.length === 0) {
    await payers.setFaults(faultsOf(random));
    await pause(1_000);
  }
  console.info('heal', Date.now()-startedMs, traffic.accepted);
  await payers.setFaults([]);
  tap.resetsOneOf = 0;
  callbacks.failsOneOf = 0;
  await traffic.stop();
  await system.ready();
  console.info('stopped', Date.now()-startedMs);
  await untilRest(payers);
  console.info('rest', Date.now()-startedMs);

  const sums = await checkBooks({ system, payers, traffic, callbacks, tap, startedMs });
  const { kills, stops, late } = disturber;
  saw('money campaign', {
    ...sums,
    cancellations: tap.cancelled.size,
    'repeated transactions': [...tap.asked.values()].filter(({ calls }) => calls > 1).length,
    'tries of callers': traffic.tries,
    'refused contributions': traffic.answered.filter(({ status }) => status >= 300).length,
    callbacks: callbacks.delivered,
    'failed deliveries': callbacks.failures,
    'repeated deliveries': callbacks.repeats,
    resets: tap.resets,
    kills,
    stops,
    'moments that did not come': late.length,
  });
  expect(sums.debits).toBeGreaterThanOrEqual(minDebits * 0.9);
  expect(sums.wins).toBeGreaterThanOrEqual(minWins);
  expect(sums.batches).toBeGreaterThan(0);
});

async function start(): Promise<RunningSystem> {
  const environment = { POTSTREAM_HUNG_AFTER_SECONDS: String(hungAfterSeconds) };
  const system = await startSystem({ args: ['--no-traffic'], environment });
  ends.push(() => system.stop());
  return system;
}
