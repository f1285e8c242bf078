import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Refusal, readContribution, resultOf } from './contribution.ts';
import { serveLines } from './lines.ts';
import type { Store } from './store.ts';

const pathOfO8 = /^\/v1\/jackpot\/instances\/([\w-]{1,64})\/contributions$/;
const pathOfStream = '/v2/jackpot/contributions/stream';
const maxBodyLength = 65_536;

/**
 * What a good engineer would put before a store: node:http with the requests and answers of O8 and of the
 * contribution stream. It knows one token, checks types and lengths, and keeps nothing itself.
 */
export function serve(store: Store, token: string, port: number): Promise<Server> {
  const authorization = `Bearer ${token}`;
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.method !== 'POST') refuse(response, 405, 'the method is not POST');
    else if (request.headers.authorization !== authorization) refuse(response, 401, 'the token is wrong');
    else if (request.url === pathOfStream) serveLines(store, request, response);
    else serveO8(store, request, response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function serveO8(store: Store, request: IncomingMessage, response: ServerResponse): void {
  const instance = pathOfO8.exec(request.url ?? '')?.[1];
  if (instance === undefined) {
    refuse(response, 404, 'there is no such route');
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
    if (body.length > maxBodyLength) request.destroy();
  });
  request.on('error', () => {});
  request.on('end', () => contribute(store, instance, body, response));
}

function contribute(store: Store, instance: string, body: string, response: ServerResponse): void {
  try {
    const contribution = readContribution(instance, body);
    store.contribute(contribution, (error, taken) => {
      if (taken === null) refuse(response, 503, error?.message ?? 'it was not taken');
      else answer(response, 200, JSON.stringify(resultOf(contribution, taken)));
    });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof SyntaxError)) throw error;
    refuse(response, 400, error.message);
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  answer(response, status, JSON.stringify({ error: message }));
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
