import { readFileSync } from 'node:fs';
import { connect, type SecureContextOptions } from 'node:tls';
import { nkeyAuthenticator } from '@nats-io/nats-core';
import { afterAll, expect, test } from 'vitest';
import { startNatsCluster, type TestNatsCluster, tlsFile } from '../../support/nats-cluster.ts';
import { roleContract } from './role-contract.ts';

/** A server that was slow itself ends such a connection without a word. */
const patience = { timeout: 60_000 };
let cluster: TestNatsCluster;

roleContract("production's configuration, an nkey for each role, TLS, three replicas", async () => {
  cluster = await startNatsCluster({ asShipped: true });
  return {
    urls: cluster.urls,
    replicas: 3,
    tls: { caFile: cluster.caFile, certificate: null },
    credentials: (role) => ({ kind: 'nkey', seedFile: cluster.seedFile(role) }),
    authentication: (role) => ({
      tls: { caFile: cluster.caFile },
      authenticator: nkeyAuthenticator(
        Buffer.from(readFileSync(cluster.seedFile(role), 'latin1').trim(), 'latin1'),
      ),
    }),
    // Tests of TLS come after it.
    stop: async () => {},
  };
});

test('nobody joins the routes of the cluster without a certificate of its authority', async () => {
  await expect.poll(() => joinRoutes({}), patience).toMatch(/certificate required/);
});

test('nobody joins them with a certificate and without their user', async () => {
  const certificate = { cert: readFileSync(tlsFile('server.pem')), key: readFileSync(tlsFile('server.key')) };
  await expect.poll(() => joinRoutes(certificate), patience).toContain('Authorization Violation');
});

afterAll(() => cluster.stop());

/** What a server of the cluster says to one that would join it. */
function joinRoutes(certificate: SecureContextOptions): Promise<string> {
  const [host, port] = (cluster.routes[0] as string).split(':') as [string, string];
  return new Promise((resolve) => {
    let text = '';
    const options = { host, port: Number(port), ca: readFileSync(cluster.caFile), ...certificate };
    const socket = connect(options, () => {
      socket.write('CONNECT {"verbose":false,"name":"stranger","cluster":"potstream"}\r\nPING\r\n');
    });
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', (error) => {
      text += error.message;
    });
    socket.once('close', () => resolve(text));
  });
}
