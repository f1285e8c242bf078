import { members } from '../../../src/lib/unknown-json.ts';
import { accepted, ensureAmount, kindOf } from '../kit/answers.ts';
import { type Check, CheckFailed, ensure } from '../kit/check.ts';
import type { Exchange } from '../kit/client.ts';

const sequentialCalls = 10;
const parallelCalls = 64;

/** A request that every wallet refuses. */
const refusedFields = { transaction_type: 'Gift' };

export const transportChecks: readonly Check[] = [
  {
    id: 'http.json',
    rule: 'Answers are JSON and say so.',
    advice: 'Send Content-Type: application/json.',
    async run(kit) {
      const exchange = await kit.authenticate();
      accepted(exchange);
      const isJson = /^application\/json\b/i.test(exchange.contentType);
      ensure(isJson, `The Content-Type is "${exchange.contentType}".`, exchange);
    },
  },
  {
    id: 'http.error-shape',
    rule: 'A refusal has the error shape: {status_code, code, message}, as JSON.',
    advice: 'Write one error handler for all refusals. `status_code` repeats the HTTP status.',
    async run(kit) {
      const exchange = await kit.execute(kit.transaction('Debit', 1n, refusedFields));
      ensure(kindOf(exchange) === 'refused', 'The answer is not a refusal of the error shape.', exchange);
      const { status_code } = members(JSON.parse(exchange.text));
      ensure(status_code === exchange.status, '`status_code` is not the HTTP status.', exchange);
    },
  },
  {
    id: 'http.invalid-json',
    rule: 'A body that is not JSON is refused, and nothing breaks.',
    advice: 'Answer 400 with the error shape; 5xx would be repeated.',
    async run(kit) {
      const exchange = await kit.client.send({ call: 'W3', path: '/transactions', body: '{"player_id": ' });
      ensure(kindOf(exchange) === 'refused', 'The answer is not a refusal of the error shape.', exchange);
    },
  },
  {
    id: 'http.keep-alive',
    rule: 'A connection serves many requests.',
    advice: 'Switch keep-alive on, here and in the proxies before the wallet, for 60 s at least.',
    async run(kit) {
      accepted(await kit.authenticate());
      const before = kit.client.connectionsOpened;
      for (let count = 0; count < sequentialCalls; count += 1) accepted(await kit.authenticate());
      const opened = kit.client.connectionsOpened - before;
      ensure(
        opened <= 1,
        `${sequentialCalls} requests, one after the other, needed ${opened} new connections.`,
      );
    },
  },
  {
    id: 'http.parallel',
    rule: `${parallelCalls} debits at once are all executed.`,
    advice:
      'The service opens as many connections. Mind limits of the proxy, the pool of the database, and locks.',
    async run(kit) {
      const before = await kit.balance();
      const debits = Array.from({ length: parallelCalls }, () => kit.transaction('Debit', 1n));
      const answers = await Promise.all(debits.map((debit) => kit.execute(debit)));
      for (const answer of answers) accepted(answer);
      const expected = before - BigInt(parallelCalls) * kit.main.minorAtoms;
      ensureAmount('The balance', await kit.balance(), expected, answers.at(-1));
    },
  },
];

/** No exchange of the whole run may be like that. */
function never(id: string, rule: string, advice: string, isFault: (exchange: Exchange) => boolean): Check {
  return {
    id,
    rule,
    advice,
    async run(kit) {
      const faults = kit.client.ended.filter(isFault);
      const [first] = faults;
      if (first !== undefined)
        throw new CheckFailed(`${faults.length} of ${kit.client.ended.length} answers. The first:`, first);
    },
  };
}

/** These look back at all that was answered. */
export const finalChecks: readonly Check[] = [
  never(
    'http.no-redirects',
    'No answer is a redirect.',
    'Serve the operations at the address that you register. The service follows no redirect.',
    ({ status }) => status !== null && status >= 300 && status < 400,
  ),
  never(
    'http.no-server-errors',
    'No answer is 5xx.',
    'Answer refusals with 4xx and the error shape. A 5xx says that nobody knows whether money moved.',
    ({ status }) => status !== null && status >= 500,
  ),
  never(
    'http.answered',
    'Every request is answered, in time and whole.',
    'Answer within 2 s, with at most 64 KiB (1 MiB for a batch), and end the answer properly.',
    ({ fault }) => fault !== null,
  ),
];
