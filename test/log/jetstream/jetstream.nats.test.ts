import { startNatsServer } from '../../support/nats-server.ts';
import { logContract } from '../contract.ts';
import { openRealLog } from '../real-log.ts';

logContract('JetStream, one replica', async () => {
  const server = await startNatsServer();
  return openRealLog({ ...server, urls: [server.url] }, { replicas: 1, patienceMs: 90_000 });
});
