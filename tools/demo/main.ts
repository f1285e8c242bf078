import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import type { Settings } from '../../src/config/settings.ts';
import { crash } from '../../src/lib/crash.ts';
import { urlToReach } from '../../src/lib/loopback.ts';
import type { ParentConnection } from '../../src/runtime/child-protocol.ts';
import { type RoleParts, type RunRole, startRole } from '../../src/runtime/role.ts';
import { type Api, isLaneMissing, openApi } from './api.ts';
import { createBackOff } from './back-off.ts';
import { type Credentials, completeCredentials, newSecret, readCredentials } from './credentials.ts';
import { demoBrands, demoOperator, demoPlayers } from './fixtures.ts';
import { optInPlayers } from './opt-in.ts';
import { ensureServiceUser, seed } from './seed.ts';
import { adminToken, createServiceToken } from './tokens.ts';
import { maxPending, sendTraffic } from './traffic.ts';
import { type DemoSession, refillBalances, seedWallet, sessionsOf } from './wallet.ts';
import { walletOf } from './wallet-of.ts';

export const contributionsPerSecond = 5;
/** Most go to the first slot, whose small pot is then won several times a minute. */
export const trafficSources = ['slot-1', 'slot-1', 'slot-1', 'slot-1', 'slot-2', 'sportsbook', 'deposit'];

/** Players of the demo pay for some of their contributions. */
const refillIntervalMs = 60_000;

/**
 * The demo: seeds its operator through the public API, completes credentials.json, then contributes a little.
 * Says `seeded` to its parent when everything is there; until then the parent holds back readiness.
 */
export const run: RunRole = (settings) => startRole('demo', settings, assemble);

async function assemble(settings: Settings, logger: Logger, parent: ParentConnection): Promise<RoleParts> {
  const stopping = new AbortController();
  // Each pending contribution listens, so do the pause before the next one and the refills.
  setMaxListeners(maxPending + 2, stopping.signal);
  const registry = new Registry();
  const answers = new Counter({
    name: 'potstream_demo_contributions_total',
    help: 'Contributions of the demo by the status of their answer.',
    labelNames: ['status'],
    registers: [registry],
  });
  let seeded = false;
  let work: Promise<void> = Promise.resolve();

  async function seedAndPlay(): Promise<void> {
    const credentials = await waitForCredentials(settings, stopping.signal);
    const api = openApi(() => baseUrl(settings, credentials), stopping.signal);
    const prepared = await prepare(api, credentials, settings, stopping.signal);
    seeded = true;
    parent.seeded();
    const instances = await wholeDemo(api, credentials, prepared.instances, stopping.signal);
    if (prepared.instances === null) await optIn(api, prepared.serviceToken, instances);
    if (settings.traffic) {
      const refills = setInterval(() => void refill(settings).catch(crash), refillIntervalMs);
      stopping.signal.addEventListener('abort', () => clearInterval(refills), { once: true });
      await sendTraffic({
        ...prepared,
        instance: instances.get('three-pots') ?? '',
        playerPaidInstance: instances.get('player-paid') ?? '',
        api,
        sources: trafficSources,
        perSecond: contributionsPerSecond,
        stopped: stopping.signal,
        answered: (status) => answers.inc({ status: String(status) }),
      });
    }
  }

  return {
    port: null,
    probes: {
      readyz: () => (seeded ? null : 'seeding'),
      metrics: () => registry.metrics(),
    },
    begin() {
      // A demo that cannot be seeded must not look alive: its parent restarts it, then gives up with this
      // message.
      work = seedAndPlay().catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        logger.fatal({ err: error, code: 'demo_stopped' }, 'The demo stopped.');
        process.exit(1);
      });
    },
    async stop() {
      stopping.abort();
      await work;
    },
  };
}

async function prepare(api: Api, credentials: Credentials, settings: Settings, stopped: AbortSignal) {
  const token = await adminToken(api, credentials.admin);
  const instances = await seedWhereServed(api, token, stopped);
  const service = await ensureServiceUser(api, token, credentials.service, newSecret);
  const known = [...(credentials.players ?? []), ...(credentials.players_of_other_brands ?? [])];
  const sessions = sessionsOf(known, newSecret);
  const mainBrand = demoBrands[0].brand;
  const wallet = walletOf(settings);
  if (wallet !== null) {
    for (const brand of new Set(demoPlayers.map((player) => player.brand)))
      await seedWallet(api, token, wallet, brand, sessions, stopped);
  }
  await completeCredentials(settings.dataDirectory, {
    service,
    operator_id: demoOperator,
    brand_id: mainBrand,
    wallet_url: wallet?.url ?? null,
    players: sessions.filter(({ player }) => player.brand === mainBrand).map(credentialsOf),
    players_of_other_brands: sessions
      .filter(({ player }) => player.brand !== mainBrand)
      .map((session) => ({ brand_id: session.player.brand, ...credentialsOf(session) })),
  });
  const serviceToken = createServiceToken(api, service);
  if (instances !== null) await optIn(api, serviceToken, instances);
  const tokens = new Map(sessions.map(({ player, token }) => [player.player, token]));
  return {
    serviceToken,
    playerToken: (player: string) => tokens.get(player) ?? '',
    instances,
  };
}

function optIn(
  api: Api,
  serviceToken: () => Promise<string>,
  instances: ReadonlyMap<string, string>,
): Promise<void> {
  return optInPlayers(api, serviceToken, 'slot-2', instances.get('opt-in') ?? '');
}

/** null: a lane that has stopped keeps the demo's jackpots, and nothing is made instead of them. */
async function seedWhereServed(
  api: Api,
  token: string,
  stopped: AbortSignal,
): Promise<ReadonlyMap<string, string> | null> {
  try {
    return await seed(api, token, stopped);
  } catch (error) {
    if (!isLaneMissing(error)) throw error;
    process.stderr.write(`The demo leaves its jackpots alone until every lane serves: ${error}\n`);
    return null;
  }
}

/** Completes the demo in the background: its page is served already. */
async function wholeDemo(
  api: Api,
  { admin }: Credentials,
  found: ReadonlyMap<string, string> | null,
  stopped: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const backOff = createBackOff();
  let instances = found;
  while (instances === null) {
    await backOff.wait(stopped);
    instances = await seedWhereServed(api, await adminToken(api, admin), stopped);
  }
  return instances;
}

function credentialsOf({ player, token }: DemoSession) {
  return { player_id: player.player, token, currency: player.currency };
}

async function waitForCredentials(settings: Settings, stopped: AbortSignal): Promise<Credentials> {
  const backOff = createBackOff();
  for (;;) {
    const credentials = await readCredentials(settings.dataDirectory);
    if (credentials !== null) return credentials;
    await backOff.wait(stopped);
  }
}

async function refill(settings: Settings): Promise<void> {
  const wallet = walletOf(settings);
  if (wallet !== null) await refillBalances(wallet);
}

/** The gateway of this machine: our own settings know its port, unless it was left open. */
function baseUrl(settings: Settings, credentials: Credentials): string {
  return settings.gatewayPort === 0
    ? credentials.base_url
    : urlToReach(settings.gatewayHost, settings.gatewayPort);
}
