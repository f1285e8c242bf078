import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { isWhole, patienceMs, saw, scaled } from '../jackpot/checks/scale.ts';
import { Random } from '../jackpot/mixed/random.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';
import { type Campaign, checkBooks, type Sums } from './money-campaign/books.ts';
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
 * times. POTSTREAM_MONEY_SEED repeats a schedule; the machine's own timing differs each time.
 */
const seed = Number(process.env.POTSTREAM_MONEY_SEED ?? Math.floor(Math.random() * 2 ** 31));
const callers = scaled(16, 160);
const minDebits = scaled(200, 20_000);
const minWins = scaled(16, 2_000);
const hungAfterSeconds = 5;
const weatherMs = 1_000;
/** Disturbances after which a whole run says how far it is. */
const toldEvery = 20;

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

it('every win is paid once, no debit hangs and no callback is lost, whatever dies', {
  timeout: patienceMs,
}, async () => {
  console.info(`POTSTREAM_MONEY_SEED=${seed}`);
  const { campaign, moments } = await begin();
  const disturber = new Disturber(campaign.system, moments);
  await disturb(campaign, disturber);
  await heal(campaign);
  const sums = await checkBooks(campaign);
  tell(campaign, disturber, sums);
  expect(sums.debits).toBeGreaterThanOrEqual(minDebits);
  expect(sums.wins).toBeGreaterThanOrEqual(minWins);
  expect(sums.batches).toBeGreaterThan(0);
});

async function begin(): Promise<{ campaign: Campaign; moments: Moments }> {
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
  ends.push(() => traffic.stop());
  return { campaign: { system, payers, traffic, callbacks, tap, startedMs }, moments };
}

async function start(): Promise<RunningSystem> {
  const environment = {
    POTSTREAM_HUNG_AFTER_SECONDS: String(hungAfterSeconds),
    ...(isWhole ? {} : { POTSTREAM_LANES: '2' }),
  };
  const system = await startSystem({ args: ['--no-traffic'], environment });
  ends.push(() => system.stop());
  return system;
}

/** Until every disturbance has happened and enough was paid. */
async function disturb({ payers, traffic, callbacks, tap }: Campaign, disturber: Disturber): Promise<void> {
  const random = new Random(seed);
  tap.resetsOneOf = 60;
  callbacks.failsOneOf = 20;
  traffic.start(callers);
  const disturbances = isWhole ? everyDisturbance(random) : someDisturbances(random);
  for (const [index, each] of disturbances.entries()) {
    await payers.setFaults(faultsOf(random));
    await disturber.run(each);
    if ((index + 1) % toldEvery === 0)
      console.info(`${index + 1} of ${disturbances.length} disturbances, ${traffic.accepted} contributions`);
  }
  while (isTooLittle(traffic)) {
    await payers.setFaults(faultsOf(random));
    await pause(weatherMs);
  }
}

/** Some of the accepted ones are refused in the end. */
function isTooLittle({ accepted, failures }: Traffic): boolean {
  return accepted < 1.2 * minDebits && failures.length === 0;
}

async function heal({ system, payers, traffic, callbacks, tap }: Campaign): Promise<void> {
  await payers.setFaults([]);
  tap.resetsOneOf = 0;
  callbacks.failsOneOf = 0;
  await traffic.stop();
  await system.ready();
  await untilRest(payers);
}

function tell({ traffic, callbacks, tap }: Campaign, { kills, stops, late }: Disturber, sums: Sums): void {
  saw('money campaign', {
    ...sums,
    cancellations: tap.cancelled.size,
    'batches of debits': [...tap.asked.values()].filter(({ kind }) => kind === 'debits').length,
    'cancelled batches': tap.cancelledBatches.size,
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
}
