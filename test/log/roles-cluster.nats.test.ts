import { readFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { nkeyAuthenticator } from '@nats-io/nats-core';
import { expect, test } from 'vitest';
import { startNatsCluster, type TestNatsCluster } from '../support/nats-cluster.ts';
import { roleContract } from './role-contract.ts';

let cluster: TestNatsCluster;

roleContract("production's configuration, an nkey for each role, three replicas", async () => {
  cluster = await startNatsCluster();
  return {
    urls: cluster.urls,
    replicas: 3,
    credentials: (role) => ({ kind: 'nkey', seedFile: cluster.seedFile(role) }),
    authentication: (role) => ({
      authenticator: nkeyAuthenticator(
        Buffer.from(readFileSync(cluster.seedFile(role), 'latin1').trim(), 'latin1'),
      ),
    }),
    // The test of the routes comes after it.
    stop: async () => {},
  };
});

test('nobody joins the routes of the cluster without their user', async () => {
  const [host, port] = (cluster.routes[0] as string).split(':') as [string, string];
  const said = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connectTcp(Number(port), host, () => {
      socket.write('CONNECT {"verbose":false,"name":"stranger","cluster":"potstream"}\r\nPING\r\n');
    });
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.once('close', () => resolve(text));
    socket.once('error', reject);
  });
  expect(said).toContain('Authorization Violation');
  await cluster.stop();
});
