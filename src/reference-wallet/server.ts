import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeJson } from '../lib/json.ts';
import { urlToReach } from '../lib/listen-address.ts';
import { isSameSecret, serverAuthorization } from '../wallet/signature.ts';
import type { WalletDatabase } from './database.ts';
import { type WalletReply, walletOperations } from './operations.ts';
import { refused } from './refusals.ts';

/** What a caller must show (docs/rules/wallets.md "Answers"): the key itself, and an HMAC over every body. */
export interface WalletKeys {
  readonly bearerKey: string;
  readonly hmacSecret: string;
}

export interface ReferenceWalletOptions {
  readonly database: WalletDatabase;
  readonly keys: WalletKeys;
  readonly nowMs: () => number;
  /** On loopback; 0 takes any free port. */
  readonly host: string;
  readonly port: number;
  /** Told of each answer. */
  readonly answered?: (path: string, status: number) => void;
  /** A bug of ours. */
  readonly report: (error: unknown) => void;
}

export interface ReferenceWallet {
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

const maxBytes = 1024 * 1024;
const requestTimeoutMs = 10_000;
/** Paths that are counted by their names; all others are counted together. */
const knownPaths = new Set(walletOperations.map((operation) => operation.path));

/** The operator's side of the wallet interface, complete enough to authenticate players (W1). */
export async function startReferenceWallet(options: ReferenceWalletOptions): Promise<ReferenceWallet> {
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    answer(request, options)
      .then((reply) => {
        const path = pathOf(request);
        options.answered?.(knownPaths.has(path) ? path : 'other', reply.status);
        send(response, reply);
      })
      .catch((error: unknown) => {
        if (!request.destroyed) options.report(error);
        response.destroy();
      });
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: urlToReach(options.host, port),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, options: ReferenceWalletOptions): Promise<WalletReply> {
  const body = await readBody(request);
  if (body === null) return refused(413, 'payload_too_large');
  if (!isAuthentic(request, body, options.keys)) return refused(401, 'unauthenticated');
  const path = pathOf(request);
  const atPath = walletOperations.filter((operation) => operation.path === path);
  if (atPath.length === 0) return refused(404, 'route_not_found');
  const operation = atPath.find(({ method }) => method === request.method);
  if (operation === undefined) return refused(405, 'method_not_allowed');
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    return refused(400, 'invalid_json');
  }
  return operation.handle(parsed, options);
}

function isAuthentic(request: IncomingMessage, body: Buffer, keys: WalletKeys): boolean {
  const bearer = isSameSecret(request.headers.authorization ?? '', `Bearer ${keys.bearerKey}`);
  const signature = request.headers['x-server-authorization'];
  const expected = serverAuthorization(keys.hmacSecret, body);
  return isSameSecret(typeof signature === 'string' ? signature : '', expected) && bearer;
}

/** null: longer than any body of the interface. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    // The rest is read and forgotten, so that the answer arrives.
    else chunks.length = 0;
  }
  return bytes > maxBytes ? null : Buffer.concat(chunks);
}

function send(response: ServerResponse, reply: WalletReply): void {
  if (reply.status === 204) {
    response.writeHead(204).end();
    return;
  }
  const { status } = reply;
  const body =
    status === 200 ? reply.body : { status_code: status, code: reply.code, message: reply.message };
  const text = writeJson(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] as string;
}

function listen(
  server: Server,
  { host, port }: Pick<ReferenceWalletOptions, 'host' | 'port'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
