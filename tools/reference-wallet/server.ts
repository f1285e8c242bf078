import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readExactJson } from '../../src/lib/exact-json.ts';
import { writeJson } from '../../src/lib/json.ts';
import { urlToReach } from '../../src/lib/loopback.ts';
import { isSameSecret, serverAuthorization } from '../../src/wallet/client/signature.ts';
import type { WalletDatabase } from './database/database.ts';
import { TooManyChanges } from './database/group-commit.ts';
import { faultSubject } from './fault-subject.ts';
import { misanswer, respond } from './faults/misanswer.ts';
import { type FaultRule, FaultRules } from './faults/rules.ts';
import { route } from './route.ts';
import type { WalletContext, WalletOperation, WalletReply, WalletRequest } from './wallet/operation.ts';
import { refused } from './wallet/refusals.ts';

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
/** Longer than callers keep idle connections: a request that meets a closing connection is lost. */
const keepAliveTimeoutMs = 65_000;
/** Connections that the kernel accepts for us while we are busy. */
const backlog = 4096;

/** The operator's side of the wallet interface. */
export async function startReferenceWallet(options: ReferenceWalletOptions): Promise<ReferenceWallet> {
  const context = { ...options, faults: new FaultRules() };
  const server = createServer(
    { requestTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveTimeoutMs },
    (request, response) => {
      serve(request, response, context).catch((error: unknown) => {
        if (!request.destroyed) options.report(error);
        response.destroy();
      });
    },
  );
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

type ServerContext = WalletContext & Pick<ReferenceWalletOptions, 'keys' | 'answered'>;

/** What is asked, or the refusal of who asks or how. */
type Asked = { readonly operation: WalletOperation; readonly request: WalletRequest };

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const body = await readBody(message);
  const asked = askedOf(message, body, context);
  if ('status' in asked) {
    context.answered?.('other', asked.status);
    send(response, asked);
    return;
  }
  const fault = faultOf(asked, context);
  const reply = await replyTo(asked, fault, context);
  context.answered?.(asked.operation.path, reply.status);
  if (fault === null) send(response, reply);
  else await misanswer(fault, response, { status: reply.status, text: textOf(reply) }, message.url ?? '/');
}

function askedOf(message: IncomingMessage, body: Buffer | null, { keys }: ServerContext) {
  if (body === null) return refused('payload_too_large');
  if (!isAuthentic(message, body, keys)) return refused('unauthenticated');
  const [path = '', query = ''] = (message.url ?? '').split('?', 2);
  const found = route(message.method ?? '', path);
  if ('status' in found) return found;
  const { operation, params, brand } = found;
  const hasBody = operation.method === 'POST' || operation.method === 'PUT';
  if (!isUtf8(body)) return refused('invalid_json');
  try {
    const parsed = hasBody ? readExactJson(body.toString('utf8')) : undefined;
    return {
      operation,
      request: { params, brand, body: parsed, query: new URLSearchParams(query) },
    } satisfies Asked;
  } catch {
    return refused('invalid_json');
  }
}

function faultOf({ operation, request }: Asked, { faults, database }: WalletContext): FaultRule | null {
  if (operation.number === undefined || faults.isEmpty) return null;
  return faults.next(faultSubject(operation.number, request, database));
}

/** What a request that is not executed would be answered, if anything were answered. */
const notExecuted: WalletReply = { status: 200, body: {} };

async function replyTo(asked: Asked, fault: FaultRule | null, context: ServerContext): Promise<WalletReply> {
  if (fault === null) return execute(asked, context);
  const { fault: kind, when, ms } = fault;
  if (kind === 'revoke_token') await revokeTokens(asked, context);
  if (kind === 'delay' && when === 'before') await sleep(ms, undefined, { ref: false });
  const isExecuted = when === 'after' || kind === 'delay' || kind === 'revoke_token';
  const reply = isExecuted ? await execute(asked, context) : notExecuted;
  if (kind === 'delay' && when === 'after') await sleep(ms, undefined, { ref: false });
  return reply;
}

async function execute({ operation, request }: Asked, context: WalletContext): Promise<WalletReply> {
  if (!operation.changes) return operation.handle(request, context);
  try {
    return await context.database.commit(() => operation.handle(request, context));
  } catch (error) {
    if (error instanceof TooManyChanges) return refused('overloaded');
    throw error;
  }
}

async function revokeTokens({ operation, request }: Asked, { database }: WalletContext): Promise<void> {
  if (operation.number === undefined) return;
  const { brand, players } = faultSubject(operation.number, request, database);
  if (brand === null) return;
  await database.commit(() => {
    for (const player of players) database.accounts.revokeTokensOf(brand, player);
  });
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
  respond(response, reply.status, textOf(reply));
}

function textOf(reply: WalletReply): string {
  if (reply.status === 204) return '';
  if ('text' in reply) return reply.text;
  if ('body' in reply) return writeJson(reply.body);
  return writeJson({ status_code: reply.status, code: reply.code, message: reply.message });
}

function listen(
  server: Server,
  { host, port }: Pick<ReferenceWalletOptions, 'host' | 'port'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, backlog, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
