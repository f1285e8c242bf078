import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What the server does with a request: it answers, or ends the connection as a network does. */
export type Step = (answer: ServerResponse) => void;

export interface ScriptedServer {
  readonly baseUrl: string;
  /** All but log-ins. */
  readonly requests: ReceivedRequest[];
  stop(): Promise<void>;
}

/** The steps for the requests in order, each once; the last one also for all later requests. Log-ins succeed. */
export async function startScriptedServer(...steps: readonly Step[]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, answer) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url: path = '', headers } = request;
    if (path === '/v1/auth/service') return json(200, { token: token() })(answer);
    requests.push({ method, path, headers, body });
    const step = steps[Math.min(requests.length, steps.length) - 1];
    step?.(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step {
  return (answer) => {
    answer.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers });
    answer.end(JSON.stringify(body));
  };
}

export function refusal(
  status_code: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Step {
  return json(status_code, { status_code, code, message: 'No.' }, headers);
}

export const reset: Step = (answer) => void answer.socket?.resetAndDestroy();
/** The server keeps the request. */
export const silence: Step = () => undefined;

const firstHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'x-contribution-id': '6b6a2b9e-5a53-4a4c-8a57-1c4b0f6f9d10',
  'x-instance-id': 'gold',
  'x-timestamp': '1700000000123',
  'x-win-amount': '12345678901.12345678',
  'x-win-currency': 'EUR',
  'x-win-pot-id': 'grand',
  'x-tickets-awarded': '3',
  'x-request-id': 'request-2',
};

const result =
  '{"instance_id":"gold","timestamp":1700000000123,"gameround_id":null,"win_amount":12345678901.12345678,' +
  '"win_pot_id":"grand","tickets_awarded":3,"win_withheld":false,"contribution_currency":"EUR",' +
  '"contribution_amount":0.10,"bonus_amount_used":0,"metadata":{"own":1.50}}';

/** As Potstream answers a contribution: O8 and O9 with one result, O16 with a list. */
export const applied: Step = (answer) => void answer.writeHead(200, firstHeaders).end(result);
export const appliedList: Step = (answer) => void answer.writeHead(200, firstHeaders).end(`[${result}]`);
export const repeated: Step = (answer) => void answer.writeHead(204, firstHeaders).end();

function token(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'EdDSA' })}.${part({ iat: 1_700_000_000, exp: 1_700_000_900 })}.x`;
}
