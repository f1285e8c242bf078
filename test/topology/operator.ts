import { readFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { connect, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { makeDirectory } from '../../src/runtime/data-directory.ts';
import { openWalletDatabase } from '../../tools/reference-wallet/database/database.ts';
import { ensureKeys, referenceWalletPaths } from '../../tools/reference-wallet/keys.ts';
import { startReferenceWallet } from '../../tools/reference-wallet/server.ts';

/** The operator's side: a wallet and a receiver of webhooks at a public address, over TLS. */
export interface Operator {
  readonly walletUrl: string;
  readonly webhookOrigin: string;
  /** Bodies of the webhooks so far. */
  readonly webhooks: readonly string[];
  stop(): Promise<void>;
}

export async function startOperator(
  directory: string,
  [wallet, receiver]: readonly [string, string],
): Promise<Operator> {
  const file = (name: string): Buffer => readFileSync(join(directory, 'operator/tls', name));
  const tls = { cert: file('server.pem'), key: file('server.key') };
  const data = join(directory, 'operator-data');
  makeDirectory(data);
  const keys = ensureKeys(data);
  const database = openWalletDatabase(referenceWalletPaths(data).database);
  const reference = await startReferenceWallet({
    database,
    keys,
    nowMs: Date.now,
    host: '127.0.0.1',
    port: 0,
    report: console.error,
  });
  const secured = createTls(tls, (socket) => {
    const behind = connect(reference.port, '127.0.0.1');
    socket.on('error', () => behind.destroy());
    behind.on('error', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  const webhooks: string[] = [];
  const receiving = createHttps(tls, (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      webhooks.push(body);
      response.writeHead(204).end();
    });
  });
  await listens(secured, wallet);
  await listens(receiving, receiver);
  return {
    walletUrl: `https://${wallet}`,
    webhookOrigin: `https://${receiver}`,
    webhooks,
    async stop() {
      secured.close();
      receiving.close();
      await reference.stop();
      await database.close();
    },
  };
}

function listens(server: Server, host: string): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(443, host, done);
  });
}
