import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request as sendRequest } from 'undici';
import { serverAuthorization } from '../../../src/wallet/client/signature.ts';
import { keys, type TestWallet } from '../../wallet/support.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of five operations, which a fault changes as it likes.
type Body = any;

export interface MutantRequest {
  readonly call: 'W1' | 'W2' | 'W3' | 'W4' | 'W5';
  /** Of the transaction or batch. */
  readonly id: string;
  readonly path: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** null: not JSON. */
  readonly body: Body;
}

export interface MutantAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a broken wallet has at hand: the good one behind it. */
export interface Behind {
  /** As it came, or with another body, which is then signed anew. */
  pass(request: MutantRequest, body?: Body, path?: string): Promise<MutantAnswer>;
  /** Passes it with a signature that is right, whatever it had. */
  passSigned(request: MutantRequest): Promise<MutantAnswer>;
  deposit(player: string, amount: number): Promise<void>;
  newId(): string;
}

export type Mutation = (request: MutantRequest, behind: Behind) => Promise<MutantAnswer>;

export interface Mutant {
  readonly url: string;
  stop(): Promise<void>;
}

/** The reference wallet behind a server that breaks one of its rules. */
export async function startMutant(wallet: TestWallet, mutate: Mutation): Promise<Mutant> {
  const agent = new Agent({ pipelining: 1 });
  const behind = behindOf(wallet, agent);
  const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    // Nobody asked for it, and it says nothing.
    response.writeContinue();
    const answer = await mutate(
      read(request.url ?? '', Buffer.concat(chunks).toString('utf8'), headers),
      behind,
    );
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', 1024, done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      await stopped(server);
      await agent.close();
    },
  };
}

function behindOf(wallet: TestWallet, dispatcher: Agent): Behind {
  const send = async (path: string, text: string, headers: Readonly<Record<string, string>>) => {
    const options = { dispatcher, method: 'POST', body: text, headers } as const;
    const { statusCode, body } = await sendRequest(`${wallet.url}${path}`, options);
    return { status: statusCode, text: await body.text() };
  };
  const signed = (path: string, text: string) =>
    send(path, text, {
      authorization: `Bearer ${keys.bearerKey}`,
      'x-server-authorization': serverAuthorization(keys.hmacSecret, Buffer.from(text)),
    });
  return {
    pass(request, body, path = request.path) {
      if (body !== undefined || path !== request.path)
        return signed(path, body === undefined ? request.text : JSON.stringify(body));
      const { authorization, 'x-server-authorization': signature } = request.headers;
      return send(path, request.text, {
        ...(authorization === undefined ? {} : { authorization }),
        ...(signature === undefined ? {} : { 'x-server-authorization': signature }),
      });
    },
    passSigned: ({ path, text }) => signed(path, text),
    async deposit(player, amount) {
      const one = { brand_id: 'acme:main', player_id: player, amount: String(amount) };
      await wallet.call('POST', '/control/deposits', [one]);
    },
    newId: randomUUID,
  };
}

function read(path: string, text: string, headers: Readonly<Record<string, string>>): MutantRequest {
  const [, w2] = /^\/transactions\/([^/]+)\/cancel$/.exec(path) ?? [];
  const [, w5] = /^\/batches\/([^/]+)\/cancel$/.exec(path) ?? [];
  const body = parsed(text);
  const plain = path === '/authenticate' ? 'W1' : path === '/batches' ? 'W4' : 'W3';
  const call = w2 !== undefined ? 'W2' : w5 !== undefined ? 'W5' : plain;
  const id = w2 ?? w5 ?? body?.transaction_id ?? body?.batch_transaction_id ?? '';
  return { call, id, path, text, headers, body };
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function stopped(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
