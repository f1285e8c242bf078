import { startNatsServer } from '../../support/nats-server.ts';
import { roleContract } from './role-contract.ts';

roleContract('the embedded server, a password for each role', async () => {
  const server = await startNatsServer();
  return {
    urls: [server.url],
    replicas: 1,
    credentials: (role) => ({ kind: 'password', user: role, password: role }),
    authentication: (role) => ({ user: role, pass: role }),
    stop: () => server.stop(),
  };
});
