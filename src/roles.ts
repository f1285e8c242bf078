import type { Settings } from './config/settings.ts';
import { connectToParent } from './runtime/child-protocol.ts';
import { dataPaths } from './runtime/data-directory.ts';
import type { RunRole } from './runtime/role.ts';

export type RunnableRole =
  | 'gateway'
  | 'actors'
  | 'fanout'
  | 'wallet'
  | 'outbox'
  | 'reporting'
  | 'storage'
  | 'reference-wallet'
  | 'demo';

/** How each role runs. Its code is loaded only by the process that runs it. */
export const runnableRoles: Readonly<Record<RunnableRole, RunRole>> = {
  gateway: async (settings) =>
    (await import('./gateway/main.ts')).run(settings, await demoOperations(settings)),
  actors: async (settings) => {
    await requireDurableServers(settings);
    return (await import('./actors/main.ts')).run(settings);
  },
  fanout: async (settings) => (await import('./fanout/main.ts')).run(settings),
  wallet: async (settings) => (await import('./wallet/main.ts')).run(settings),
  outbox: async (settings) => (await import('./outbox/main.ts')).run(settings),
  reporting: async (settings) => (await import('./reporting/main.ts')).run(settings),
  storage: async (settings) => {
    await requireDurableServers(settings);
    return (await import('./storage/main.ts')).run(settings);
  },
  'reference-wallet': async (settings) => (await import('../tools/reference-wallet/main.ts')).run(settings),
  demo: async (settings) => (await import('../tools/demo/main.ts')).run(settings),
};

/** What actors have stored must be on disks. `up` has asked the server that it starts. */
async function requireDurableServers({ natsMonitorUrl, insecureDurability }: Settings): Promise<void> {
  if (natsMonitorUrl === null || insecureDurability || connectToParent().hasParent) return;
  const { requireDurabilityOfAll } = await import('./supervisor/nats-server/monitor.ts');
  await requireDurabilityOfAll(natsMonitorUrl.split(','));
}

/** What the gateway serves for the demo's page, where the demo runs. */
async function demoOperations(settings: Settings) {
  if (!settings.demo) return [];
  const [{ demoOperations: of }, { demoTokens }, { demoBalances }, { walletOf }, { demoAdministrator }] =
    await Promise.all([
      import('../tools/demo/routes/index.ts'),
      import('../tools/demo/routes/player-tokens.ts'),
      import('../tools/demo/routes/player-balances.ts'),
      import('../tools/demo/wallet-of.ts'),
      import('../tools/demo/routes/administrator.ts'),
    ]);
  const { credentials } = dataPaths(settings.dataDirectory);
  return of(
    demoTokens(credentials),
    demoBalances(() => walletOf(settings)),
    settings.console === 'off' ? null : demoAdministrator(credentials),
    settings.publicDemo,
  );
}
