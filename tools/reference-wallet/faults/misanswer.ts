import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from './rules.ts';

/** An answer as it would be without the fault. */
export interface PlainAnswer {
  readonly status: number;
  readonly text: string;
}

const json = { 'Content-Type': 'application/json; charset=utf-8' };
const oversizedBytes = 1024 * 1024;

/** Answers a request as its fault says; `plain` is the right answer, where the request was executed. */
export async function misanswer(
  { fault, ms }: FaultRule,
  response: ServerResponse,
  plain: PlainAnswer,
  location: string,
): Promise<void> {
  switch (fault) {
    case 'drop':
      response.destroy();
      return;
    case 'error':
      respond(
        response,
        500,
        '{"status_code":500,"code":"internal_error","message":"A fault was asked for."}',
      );
      return;
    case 'garbage':
      respond(response, plain.status, '<html>{"balance":');
      return;
    case 'wrong_shape':
      respond(response, 422, '{"error":"A fault was asked for."}');
      return;
    case 'oversized':
      respond(response, plain.status, `{"padding":"${'x'.repeat(oversizedBytes)}"}`);
      return;
    case 'redirect':
      response.writeHead(307, { location, 'Content-Length': 0 }).end();
      return;
    case 'truncated':
      response.writeHead(plain.status, { ...json, 'Content-Length': Buffer.byteLength(plain.text) + 1 });
      response.write(plain.text, () => response.destroy());
      return;
    case 'duplicate':
      twice(response, plain);
      return;
    case 'slow':
      await drip(response, plain, ms);
      return;
    case 'delay':
    case 'revoke_token':
      respond(response, plain.status, plain.text);
  }
}

/** Sends a whole answer. */
export function respond(response: ServerResponse, status: number, text: string): void {
  if (status === 204) {
    response.writeHead(204).end();
    return;
  }
  response.writeHead(status, { ...json, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

/** The second answer follows on the same connection, where the next request would find it. */
function twice(response: ServerResponse, { status, text }: PlainAnswer): void {
  const { socket } = response;
  respond(response, status, text);
  const length = Buffer.byteLength(text);
  socket?.write(
    `HTTP/1.1 ${status} Again\r\nContent-Type: ${json['Content-Type']}\r\nContent-Length: ${length}\r\n\r\n${text}`,
  );
}

async function drip(response: ServerResponse, { status, text }: PlainAnswer, ms: number): Promise<void> {
  const bytes = Buffer.from(text, 'utf8');
  response.writeHead(status, { ...json, 'Content-Length': bytes.length });
  for (let at = 0; at < bytes.length && !response.destroyed; at += 1) {
    response.write(bytes.subarray(at, at + 1));
    await sleep(ms, undefined, { ref: false });
  }
  response.end();
}
