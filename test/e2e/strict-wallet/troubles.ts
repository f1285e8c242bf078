import type { ServerResponse } from 'node:http';
import { type Books, send, type Trouble } from './strict-wallet.ts';

type Answer = Trouble['answer'];

const shape = (status: number, headers: Record<string, string> = {}): Answer => {
  const text = JSON.stringify({ status_code: status, code: 'no', message: 'No.' });
  return (response) => void response.writeHead(status, headers).end(text);
};
const says = (status: number, body: string): Answer => {
  return (response) => send(response, status, body);
};
const reset: Answer = (response) => void response.socket?.resetAndDestroy();
const nothing: Answer = () => {};
const cut: Answer = (response) => {
  response.writeHead(200, { 'content-length': 500 });
  response.write('{"balance"');
  setTimeout(() => response.socket?.destroy(), 20);
};
const twice: Answer = ({ socket }: ServerResponse) => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n{"balance":1}';
  socket?.write(answer + answer);
};
const slow: Answer = (response) => {
  response.writeHead(200, { 'content-length': 13 });
  const bytes = [...'{"balance":1}'];
  const timer = setInterval(() => {
    if (bytes.length === 0 || response.destroyed) clearInterval(timer);
    else response.write(bytes.shift());
  }, 300);
};

/** Answers from which nobody knows whether the wallet has executed the call. */
const unclear: readonly (readonly [string, Answer])[] = [
  ['a reset', reset],
  ['no answer', nothing],
  ['500', says(500, '')],
  ['503 with the shape of an error', shape(503, { 'retry-after': '30' })],
  ...[401, 403, 408, 425, 429].map((status) => [`${status}`, shape(status, { 'retry-after': '1' })] as const),
  ['422 of another shape', says(422, '{"error":"no"}')],
  ['a redirect', (response) => void response.writeHead(307, { location: '/elsewhere' }).end()],
  ['garbage', says(200, '<html>{"balance": 1}</html>')],
  ['JSON that is no result', says(200, '[]')],
  ['200 and nothing', says(200, '')],
  ['204', (response) => void response.writeHead(204).end()],
  ['an answer that is cut off', cut],
  ['an answer that is too long', says(200, JSON.stringify({ balance: 1, pad: 'x'.repeat(200_000) }))],
  ['an answer that comes too slowly', slow],
];

export interface Case {
  readonly what: string;
  readonly troubles: readonly Trouble[];
  readonly status: 200 | 422 | 503;
  readonly books: readonly Books[];
}

const on = (operation: Trouble['operation'], applied: boolean, answer: Answer): Trouble => {
  return { operation, applied, answer };
};
const always = (trouble: Trouble): readonly Trouble[] => Array<Trouble>(200).fill(trouble);
/** The debit is made, and nobody hears of it. */
const unheard = always(on('W3', true, says(500, '')));
const given = ['cancelled', 'cancelled unseen'] as const;

/** One call goes wrong, and its repeat goes well. */
export const once: readonly Case[] = [
  ...unclear.flatMap(([what, answer]) =>
    [false, true].map((applied): Case => {
      const name = `${what}, ${applied ? 'executed' : 'not executed'}`;
      return { what: name, troubles: [on('W3', applied, answer)], status: 200, books: ['debited'] };
    }),
  ),
  { what: 'the answer twice', troubles: [on('W3', true, twice)], status: 200, books: ['debited'] },
  ...[400, 402, 404, 409, 410, 422, 499].map(
    (status): Case => ({
      ...{ what: `a refusal ${status}`, troubles: [on('W3', false, shape(status))] },
      ...{ status: 422, books: ['never asked'] },
    }),
  ),
  {
    ...{ what: 'a refusal behind an unclear answer', status: 422, books: ['cancelled'] },
    troubles: [on('W3', true, reset), ...always(on('W3', false, shape(422)))],
  },
];

/** No debit gets a clear answer: each is cancelled, whatever becomes of the cancellations. */
export const never: readonly Case[] = [
  { what: 'nothing arrives', troubles: always(on('W3', false, reset)), status: 503, books: given },
  { what: 'nobody hears of it', troubles: unheard, status: 503, books: given },
];

/** The debit is made and unheard of, and its cancellation goes wrong. */
export const cancellations: readonly Case[] = [
  ...unclear
    .filter(([what]) => what !== '204' && what !== 'JSON that is no result')
    .map(([what, answer]) => [what, [on('W2', false, answer)]] as const),
  ['a refusal', [on('W2', false, shape(422))]] as const,
  ['404 of another shape', [on('W2', false, says(404, 'not found'))]] as const,
  ['204', [on('W2', true, (response) => void response.writeHead(204).end())]] as const,
  ['true', [on('W2', true, says(200, 'true'))]] as const,
  ['409', [on('W2', true, shape(409))]] as const,
].map(([what, troubles]) => ({ what, troubles: [...unheard, ...troubles], status: 503, books: given }));
