import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { debitId } from '../../../src/messages/transaction-ids.ts';
import type { RunningSystem } from '../../support/system.ts';
import type { Callbacks } from './callbacks.ts';
import { brands, kinds, type Payers } from './payers.ts';
import type { Answered, Traffic } from './traffic.ts';
import type { WalletTap } from './wallet-tap.ts';

interface Statement {
  readonly transaction_id: string;
  readonly transaction_type: 'Debit' | 'Credit';
  readonly amount: number;
  readonly state: 'done' | 'cancelled';
}

interface Side {
  readonly count: number;
  readonly amount: string;
}

interface ReconcileSummary {
  readonly differences: number;
  readonly by_hand: number;
  readonly ledger: { readonly open: number };
  readonly totals: readonly { readonly type: string; readonly ledger: Side; readonly wallet: Side }[];
}

export interface Campaign {
  readonly system: RunningSystem;
  readonly payers: Payers;
  readonly traffic: Traffic;
  readonly callbacks: Callbacks;
  readonly tap: WalletTap;
  readonly startedMs: number;
}

export interface Sums {
  readonly debits: number;
  readonly wins: number;
  readonly credits: number;
  readonly batches: number;
}

/** What must hold once nothing is open any more. */
export async function checkBooks(campaign: Campaign): Promise<Sums> {
  const { payers, traffic, callbacks, tap } = campaign;
  expect(traffic.failures, 'every caller got a definite answer').toEqual([]);
  expect(tap.complaints, 'calls of a good service').toEqual([]);
  expect(callbacks.complaints, 'events are the same each time').toEqual([]);
  await checkWallet(payers);
  const before = await playersAccounts(campaign);
  const done = new Map<string, Statement>();
  const doubled: string[] = [];
  for (const brand of brands)
    for (const each of await statementsOf(payers, brand)) {
      if (done.has(each.transaction_id)) doubled.push(each.transaction_id);
      if (each.state === 'done') done.set(each.transaction_id, each);
    }
  expect(doubled, 'each transaction is there once').toEqual([]);
  const applied = appliedOf(traffic, callbacks);
  const debits = [...done.values()].filter(({ transaction_type }) => transaction_type === 'Debit');
  expectSame(
    debits.map(({ transaction_id }) => transaction_id),
    applied.map(({ contributionId }) => debitId(contributionId)),
    'debits of the wallet and applied contributions',
  );
  expect(await playersAccounts(campaign), 'nothing moves any more').toBe(before);
  const wins = checkWins(applied, callbacks, tap, done);
  await checkLedger(campaign, [...done.values()]);
  const credits = [...done.values()].filter((each) => each.transaction_type === 'Credit' && each.amount > 0);
  const batches = [...tap.asked.values()].filter(({ kind }) => kind === 'batch').length;
  return { debits: debits.length, wins, credits: credits.length, batches };
}

/** No transaction moved money twice, and balances are the sums of what moved. */
async function checkWallet(payers: Payers): Promise<void> {
  const ledger = await payers.wallet<{
    readonly applied_more_than_once: readonly string[];
    readonly currencies: readonly { readonly difference: number }[];
  }>('GET', '/control/ledger');
  expect(ledger.applied_more_than_once).toEqual([]);
  for (const { difference } of ledger.currencies) expect(Number(difference)).toBe(0);
}

/** No callback is lost: without an event only a result without a win that nobody asked for. */
function appliedOf({ answered }: Traffic, callbacks: Callbacks): Answered[] {
  const lost: string[] = [];
  const applied = answered.filter(({ status, isCallback, winOnly, contributionId }) => {
    if (status >= 300) return false;
    if (!isCallback) return true;
    const event = callbacks.eventOf(contributionId);
    if (event === null && !winOnly) lost.push(contributionId);
    return event === null || event.error === undefined;
  });
  expect(lost, 'callbacks that never came').toEqual([]);
  return applied;
}

/** Each win is one credit with its amount, and each credit of a win is one of theirs. */
function checkWins(
  applied: readonly Answered[],
  callbacks: Callbacks,
  tap: WalletTap,
  done: ReadonlyMap<string, Statement>,
): number {
  const won = new Map<string, bigint>();
  for (const { contributionId, isCallback, win } of applied) {
    const results = isCallback ? callbacks.eventOf(contributionId)?.results : undefined;
    const amount = isCallback ? (results?.[0]?.win_amount ?? 0) : Number(win || 0);
    if (amount > 0) won.set(contributionId, atoms(amount));
  }
  const credited = new Map<string, bigint>();
  const odd: string[] = [];
  for (const [id, { kind, content }] of tap.asked) {
    const { kind: of } = (content.metadata ?? {}) as { readonly kind?: string };
    if (kind !== 'Credit' || of !== 'main') continue;
    const round = String(content.gameround_id);
    if (credited.has(round) || done.get(id)?.amount !== Number(content.amount)) odd.push(id);
    credited.set(round, atoms(content.amount));
  }
  expect(odd, 'credits of a second win of their round, or of another amount at the wallet').toEqual([]);
  const text = (sums: ReadonlyMap<string, bigint>) => [...sums].map(([id, sum]) => `${id} ${sum}`);
  expectSame(text(credited), text(won), 'credits of the wallet and wins');
  return won.size;
}

/** Double entry per instance, and against the wallet's statements; then `potstream reconcile` itself. */
async function checkLedger(campaign: Campaign, done: readonly Statement[]): Promise<void> {
  const { system, startedMs } = campaign;
  for (const brand of brands) {
    const { code, summary, text } = await reconcile(system, brand, startedMs);
    expect(code, text).toBe(0);
    expect(summary).toMatchObject({ differences: 0, by_hand: 0, ledger: { open: 0 } });
    for (const { ledger, wallet } of summary!.totals) expect(wallet).toEqual(ledger);
  }
  const ofPlayers = await playersAccounts(campaign);
  const moved = done.reduce(
    (sum, { transaction_type, amount }) =>
      transaction_type === 'Credit' ? sum + atoms(amount) : sum - atoms(amount),
    0n,
  );
  expect(ofPlayers, 'what players got and paid').toBe(moved);
}

/** What players got less what they paid, by the instances' own books. */
async function playersAccounts({ payers, system }: Campaign): Promise<bigint> {
  let ofPlayers = 0n;
  for (const kind of kinds) {
    const path = `/v1/fairness/instances/${payers.instances[kind]}/conservation`;
    const answer = await fetch(`${system.baseUrl}${path}`);
    const { sum, accounts } = (await answer.json()) as { sum: string; accounts: Record<string, string> };
    expect([kind, Number(sum), Number(accounts.win_liability ?? 0)]).toEqual([kind, 0, 0]);
    ofPlayers += atoms(accounts.player ?? 0);
  }
  return ofPlayers;
}

async function reconcile(system: RunningSystem, brand: string, fromMs: number) {
  const period = ['--from', new Date(fromMs).toISOString(), '--to', new Date().toISOString()];
  const child = spawn(
    process.execPath,
    ['bin/potstream', 'reconcile', '--brand', brand, ...period, '--json'],
    { env: { ...process.env, POTSTREAM_DATA: system.dataDirectory }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const last = text.trim().split('\n').at(-1) ?? '';
  const summary = last.startsWith('{"summary"')
    ? (JSON.parse(last) as { summary: ReconcileSummary }).summary
    : null;
  return { code, summary, text: `${text.slice(0, 4_000)}${errors}` };
}

async function statementsOf(payers: Payers, brand: string): Promise<readonly Statement[]> {
  const all: Statement[] = [];
  for (let cursor = ''; ; ) {
    const query = `from=0&to=${Date.now() + 1}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await payers.wallet<{ transactions: Statement[]; next: string | null }>(
      'GET',
      `/brands/${brand}/statements?${query}`,
    );
    all.push(...page.transactions);
    if (page.next === null) return all;
    cursor = page.next;
  }
}

function expectSame(found: readonly string[], wanted: readonly string[], what: string): void {
  const [some, others] = [new Set(found), new Set(wanted)];
  expect(some.size, `${what}: none twice`).toBe(found.length);
  expect(others.size, `${what}: none twice`).toBe(wanted.length);
  expect(
    [...some].filter((each) => !others.has(each)),
    `${what}: only there`,
  ).toEqual([]);
  expect(
    [...others].filter((each) => !some.has(each)),
    `${what}: only here`,
  ).toEqual([]);
}

/** Sums of a campaign have fewer digits than a number keeps. */
function atoms(amount: unknown): bigint {
  return BigInt(Math.round(Number(amount) * 1e8));
}
