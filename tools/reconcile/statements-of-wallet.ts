import { setTimeout as sleep } from 'node:timers/promises';
import type { WalletSettings } from '../../src/access/keys/brand-wallets.ts';
import { readExactJson } from '../../src/lib/exact-json.ts';
import {
  type AddressCheck,
  AddressNotAllowed,
  NameNotResolved,
  NoAnswer,
} from '../../src/outbound/checked-addresses.ts';
import { EndpointClient } from '../../src/outbound/endpoint-client.ts';
import { serverAuthorization } from '../../src/wallet/client/signature.ts';
import { readStatementRow } from './statement-row.ts';
import { StatementError, type StatementRow } from './transaction.ts';

const limits = {
  connections: 4,
  restMs: 50,
  exchangeTimeoutMs: 60_000,
  idleMs: 10_000,
  connectionLifeMs: 60_000,
  answerBytes: 8 * 1024 * 1024,
};
const maxTries = 5;
const firstPauseMs = 500;
/** Refusals of the moment, as of other calls to wallets (docs/rules/wallets.md "Answers"). */
const mayPass: ReadonlySet<number> = new Set([408, 425, 429]);
const maxPages = 10_000_000;
const maxCursorLength = 1_024;

/**
 * `GET /statements` of a brand's wallet (docs/rules/wallets.md "Statements"): the transactions from `fromMs`
 * and before `toMs`.
 * @throws StatementError
 */
export async function* statementsOfWallet(
  wallet: WalletSettings,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  addresses: AddressCheck,
): AsyncGenerator<StatementRow> {
  const { origin, pathname } = new URL(wallet.baseUrl);
  const client = new EndpointClient(origin, limits, addresses);
  const headers = {
    authorization: `Bearer ${wallet.bearerKey}`,
    'x-server-authorization': serverAuthorization(wallet.hmacSecret, new Uint8Array(0)),
    accept: 'application/json',
  };
  try {
    let cursor: string | null = null;
    for (let page = 0; page < maxPages; page += 1) {
      const query = new URLSearchParams({ from: String(fromMs), to: String(toMs) });
      if (cursor !== null) query.set('cursor', cursor);
      const path = `${pathname.replace(/\/$/, '')}/statements?${query}`;
      const { transactions, next } = pageOf(await answerOf(client, { path, headers }, wallet.baseUrl));
      for (const [index, row] of transactions.entries())
        yield readStatementRow(row, `statements of the wallet, page ${page}, row ${index}`);
      if (next === null) return;
      if (next === cursor) throw new StatementError('The wallet answers the same page again.');
      cursor = next;
    }
    throw new StatementError('The wallet has too many pages.');
  } finally {
    await client.close();
  }
}

async function answerOf(
  client: EndpointClient,
  request: Parameters<EndpointClient['get']>[0],
  url: string,
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const failure = await client.get(request).then(
      ({ status, text }) => {
        if (status === 200 && text !== null) return { text };
        const isBusy = mayPass.has(status) || status >= 500;
        return { reason: text === null ? 'the answer is too large' : `status ${status}`, isFinal: !isBusy };
      },
      (error: unknown) => {
        if (error instanceof AddressNotAllowed) return { reason: error.message, isFinal: true };
        if (error instanceof NoAnswer || error instanceof NameNotResolved)
          return { reason: error.message, isFinal: false };
        throw error;
      },
    );
    if ('text' in failure) return failure.text;
    if (failure.isFinal || tries === maxTries)
      throw new StatementError(`${url} serves no statements: ${failure.reason}. Import them with --file.`);
    await sleep(firstPauseMs * 2 ** (tries - 1));
  }
}

interface Page {
  readonly transactions: readonly unknown[];
  readonly next: string | null;
}

function pageOf(text: string): Page {
  let page: Partial<Page> | null;
  try {
    page = readExactJson(text) as Partial<Page> | null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new StatementError('The wallet answers no JSON.');
  }
  const { transactions, next = null } = page ?? {};
  const isCursor =
    next === null || (typeof next === 'string' && next !== '' && next.length <= maxCursorLength);
  if (!Array.isArray(transactions) || !isCursor)
    throw new StatementError('The wallet answers no page of statements.');
  return { transactions, next };
}
