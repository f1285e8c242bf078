import { startNatsCluster } from '../../support/nats-cluster.ts';
import { logContract } from '../contract.ts';
import { openRealLog } from '../real-log.ts';

logContract('JetStream, three servers, three replicas', async () =>
  openRealLog(await startNatsCluster(), { replicas: 3, patienceMs: 90_000 }),
);
