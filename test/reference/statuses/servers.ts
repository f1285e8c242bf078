import { tmpdir } from 'node:os';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import { type GatewayServer, type ServerOptions, startServer } from '../../../src/gateway/routes/serve.ts';
import type { World } from '../../gateway/support/administration.ts';
import { unlimitedGets } from '../../gateway/support/gateway.ts';

/** Another server of the same system. */
export function startBeside({ context }: World, options: Partial<ServerOptions>): Promise<GatewayServer> {
  return startServer({
    host: '127.0.0.1',
    port: 0,
    fanoutPort: 1,
    operations,
    context,
    pagesDirectory: tmpdir(),
    clientDirectory: tmpdir(),
    notReady: () => null,
    report: () => {},
    publicGetsPerSecond: unlimitedGets,
    administratorWritesPerSecond: unlimitedGets,
    ...options,
  });
}

export async function besides(
  world: World,
  options: Partial<ServerOptions>,
  work: (server: GatewayServer) => Promise<unknown>,
): Promise<void> {
  const server = await startBeside(world, options);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}
