import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WalletSettings } from '../../src/access/keys/brand-wallets.ts';
import type { AddressCheck } from '../../src/outbound/checked-addresses.ts';
import { type Bus, LogError } from '../../src/ports.ts';
import { serverAuthorization } from '../../src/wallet/client/signature.ts';
import { openWalletDatabase } from '../../tools/reference-wallet/database/database.ts';
import { type ReferenceWallet, startReferenceWallet } from '../../tools/reference-wallet/server.ts';

export const keys = { bearerKey: 'bearer-of-the-tests', hmacSecret: 'secret-of-the-tests' };

export function settings(baseUrl: string, changes: Partial<WalletSettings> = {}): WalletSettings {
  return {
    brand: 'acme:main',
    baseUrl,
    ...keys,
    providerId: 'potstream',
    closeRounds: false,
    batchDebits: false,
    verificationLimit: null,
    ...changes,
  };
}

/** What the tests' wallets are called with: names resolve nowhere, loopback may be called. */
export const testAddresses: AddressCheck = {
  development: true,
  resolve: (name) => Promise.reject(new Error(`${name} is nowhere.`)),
};

export interface TestWallet extends ReferenceWallet {
  nowMs: number;
  /** Signed as docs/rules/wallets.md "Answers" says, unless headers say otherwise. */
  call(
    method: string,
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; json: unknown }>;
  /** The same with the bytes of the answer as text. */
  raw(method: string, path: string, body: string): Promise<{ status: number; text: string }>;
  /** Stops the server and starts it again on the same file, at another port. */
  restart(): Promise<void>;
}

/** A reference wallet with a database file of its own. */
export async function startTestWallet(): Promise<TestWallet> {
  const directory = mkdtempSync(join(tmpdir(), 'wallet-'));
  const time = { nowMs: 1_800_000_000_000 };
  const bugs: unknown[] = [];
  const start = async () => {
    const database = openWalletDatabase(join(directory, 'wallet.db'));
    const server = await startReferenceWallet({
      database,
      keys,
      nowMs: () => time.nowMs,
      host: '127.0.0.1',
      port: 0,
      report: (error) => void bugs.push(error),
    });
    return { server, database };
  };
  let running = await start();
  const stopServer = async () => {
    await running.server.stop();
    await running.database.close();
  };
  const send = async (method: string, path: string, text: string, headers = {}) => {
    const bytes = Buffer.from(method === 'GET' || method === 'DELETE' ? '' : text);
    const response = await fetch(`${running.server.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${keys.bearerKey}`,
        'x-server-authorization': serverAuthorization(keys.hmacSecret, bytes),
        ...headers,
      },
      ...(bytes.length === 0 ? {} : { body: bytes }),
      redirect: 'manual',
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    get port() {
      return running.server.port;
    },
    get url() {
      return running.server.url;
    },
    get nowMs() {
      return time.nowMs;
    },
    set nowMs(value) {
      time.nowMs = value;
    },
    raw: send,
    async call(method, path, body, headers = {}) {
      const { status, text } = await send(
        method,
        path,
        typeof body === 'string' ? body : JSON.stringify(body),
        headers,
      );
      return { status, json: text === '' ? null : JSON.parse(text) };
    },
    async restart() {
      await stopServer();
      running = await start();
    },
    async stop() {
      await stopServer();
      rmSync(directory, { recursive: true, force: true });
      if (bugs.length > 0) throw new AggregateError(bugs, 'requests met bugs');
    },
  };
}

export interface BadWallet {
  readonly url: string;
  /** Bodies that arrived. */
  readonly received: string[];
  stop(): Promise<void>;
}

/** A wallet that answers whatever it is told to. */
export async function startBadWallet(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<BadWallet> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    answer(request, response, received.length);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Core NATS within this process: requests reach one handler of a queue, and messages all subscribers. */
export function memoryBus(): Bus {
  const handlers = new Map<string, Set<Parameters<Bus['subscribe']>[1]>>();
  const of = (subject: string) => handlers.get(subject) ?? new Set();
  return {
    publish(subject, bytes) {
      for (const handler of of(subject)) handler({ subject, bytes, respond() {} });
    },
    subscribe(subject, handler) {
      handlers.set(subject, of(subject).add(handler));
      return { stop: () => void of(subject).delete(handler) };
    },
    hasListener: async (subject) => of(subject).size > 0,
    request: (subject, bytes) =>
      new Promise((respond, reject) => {
        const [handler] = of(subject);
        if (handler === undefined) reject(new LogError('unavailable', 'Nobody answers.'));
        else handler({ subject, bytes, respond });
      }),
    connected: () => true,
    interruptions: () => 0,
    close: async () => {},
  };
}
