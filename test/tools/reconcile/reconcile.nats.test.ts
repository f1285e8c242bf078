import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatAmount } from '../../../src/lib/money.ts';
import { encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { CreditRecord, DebitRecord } from '../../../src/messages/settlements.ts';
import type { Difference, OnBehalf } from '../../../tools/reconcile/compare.ts';
import { type ReconcileInput, reconcile } from '../../../tools/reconcile/reconcile.ts';
import { statementsOfFile } from '../../../tools/reconcile/statements-file.ts';
import { statementsOfWallet } from '../../../tools/reconcile/statements-of-wallet.ts';
import { StatementError, type StatementRow } from '../../../tools/reconcile/transaction.ts';
import { hex, lane } from '../../actors/actor-world.ts';
import { brand } from '../../jackpot/support/commands.ts';
import { raffle } from '../../jackpot/support/raffle.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';
import { ExecutionWorld } from '../../wallet/execution/execution-world.ts';
import { settings, startTestWallet, type TestWallet, testAddresses } from '../../wallet/support.ts';
import { putPlayer } from '../reference-wallet/support.ts';

const never = onePot({}, { operator_contribution_percentage: '0' });
const always = onePot({ pot_types: [sureHit] }, { operator_contribution_percentage: '0' });
const hourMs = 3_600_000;

let world: ExecutionWorld;
let startMs: number;
beforeEach(async () => {
  world = await ExecutionWorld.open();
  await world.actors.owned(await world.actors.startHost('one'));
  startMs = Date.now() - 60_000;
});
afterEach(() => world.close());

async function run(statements: ReconcileInput['statements'], changes: Partial<ReconcileInput> = {}) {
  const differences: Difference[] = [];
  const onBehalf: OnBehalf[] = [];
  const period = { fromMs: startMs, toMs: startMs + hourMs };
  const input = {
    log: world.actors.log,
    lanes: 1,
    brand,
    lookBackMs: hourMs,
    statements,
    ...period,
    ...changes,
  };
  const summary = await reconcile(input, {
    difference: (one) => void differences.push(one),
    onBehalf: (one) => void onBehalf.push(one),
  });
  return { summary, differences, onBehalf, found: differences.map(({ kind, id }) => [kind, id]) };
}

async function allOf(rows: AsyncIterable<StatementRow>): Promise<StatementRow[]> {
  const all: StatementRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

async function* given(rows: readonly StatementRow[]): AsyncGenerator<StatementRow> {
  yield* rows;
}

/** What the wallet role writes. */
async function say(...commands: Command[]): Promise<void> {
  const bytes = encodeCommandBatch({ batchId: randomBytes(16), gateway: '', commands });
  const appended = await world.actors.log.append(lane, 'settlement', bytes, {
    messageId: hex(randomBytes(16)),
  });
  const sequence = appended.kind === 'stored' ? appended.sequence : 0;
  await world.until(
    async () => (await world.actors.log.lastOutcome(lane)) >= sequence,
    'the record is stored',
  );
}

async function debit(
  player: string,
  result: 'debited' | 'refused' | 'cancelled' | null,
): Promise<DebitRecord> {
  await world.contribute({ player });
  const opened = (await world.openDebits()).find((each) => each.player === player)!;
  const { transactionId } = opened;
  if (result !== null) await say({ kind: 'DebitSettled', transactionId, result });
  return opened;
}

/** A win's credit, which nobody has executed yet. */
async function credit(player: string): Promise<CreditRecord> {
  await debit(player, 'debited');
  return (await world.openCredits()).find((each) => each.player === player)!;
}

async function decide(kind: 'ResolveCredit' | 'RetryCredit', transactionId: string): Promise<void> {
  const sent = await world.actors.send([{ kind, transactionId, reason: 'paid by bank', user: 'ada' }]);
  await world.actors.reply(sent);
  await world.until(async () => (await world.actors.log.lastOutcome(lane)) >= sent.sequence, 'it is stored');
}

function rowOf(record: DebitRecord | CreditRecord, changes: Partial<StatementRow> = {}): StatementRow {
  const isCredit = 'paidAtoms' in record;
  return {
    id: record.transactionId,
    type: isCredit ? 'Credit' : 'Debit',
    player: record.player,
    brand,
    batch: null,
    amountAtoms: isCredit ? record.paidAtoms : record.amountAtoms,
    currency: isCredit ? record.paidCurrency : record.currency,
    timestampMs: record.openedMs,
    state: 'done',
    ...changes,
  };
}

describe('the ledger and the reference wallet', () => {
  let wallet: TestWallet;
  beforeEach(async () => {
    wallet = await startTestWallet();
    wallet.nowMs = Date.now();
    world.wallets.set(brand, wallet.url);
  });
  afterEach(() => wallet.stop());
  const ofWallet: ReconcileInput['statements'] = (period) =>
    statementsOfWallet(settings(wallet.url, { brand }), period, testAddresses);

  it('agree after debits, wins and closed rounds, in every period', async () => {
    for (const player of ['p1', 'p2', 'p3']) await putPlayer(wallet, player, { brand_id: brand });
    await putPlayer(wallet, 'poor', { brand_id: brand, balance: '0', bonus_balance: '0' });
    await world.putWallet(brand, { close_rounds: true });
    await world.actors.activeInstance('jackpot', always);
    const role = await world.startRole();
    for (const player of ['p1', 'p2', 'p3', 'poor']) await world.late(await world.contribute({ player }));
    await world.until(async () => (await world.openCredits()).length === 0, 'credits are settled');
    await world.stopRole(role);
    const { summary, differences } = await run(ofWallet);
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ matched: 6, by_hand: 0, ledger: { open: 0 }, statements: { rows: 6 } });
    for (const { ledger, wallet: theirs } of summary.totals) expect(theirs).toEqual(ledger);
    expect(summary.totals).toMatchObject([
      { currency: 'EUR', type: 'Credit', ledger: { count: 3 } },
      { currency: 'EUR', type: 'Debit', ledger: { count: 3 } },
    ]);
    // Each transaction counts in one of two neighbouring periods.
    const middleMs = wallet.nowMs;
    const parts = [await run(ofWallet, { toMs: middleMs }), await run(ofWallet, { fromMs: middleMs })];
    expect(parts.map((part) => part.found)).toEqual([[], []]);
    expect(parts.map((part) => part.summary.matched)).toEqual([0, 6]);
  });

  it('agree after a batch of shares, one of which was paid alone, and a round of a raffle', async () => {
    const operatorPays = { operator_contribution_percentage: '1' };
    const shares = {
      main_winner_percentage: '0.5',
      payout_rules: [
        { payout_percentage: '0.5', rule: { HighestContributors: { max_number_of_payouts: 3 } } },
      ],
    };
    await world.actors.activeInstance(
      'jackpot',
      onePot({ pot_types: [{ External: {} }], payout_ruleset: shares }, operatorPays),
    );
    await world.actors.activeInstance(
      'raffle',
      raffle(
        { duration: { Seconds: 1 }, prize_distribution: [{ prize_percentage: '0.9', number_of_winners: 6 }] },
        { contribution_rules: { contribution_type: { Fixed: '1' }, ...operatorPays } },
      ),
    );
    const players = ['p1', 'p2', 'p3'];
    for (const player of players.slice(0, 2)) await putPlayer(wallet, player, { brand_id: brand });
    await world.startRole();
    const toRaffle = { type: 'instance', id: 'raffle' } as const;
    for (const player of players) {
      await world.contribute({ player });
      await world.contribute({ player, target: toRaffle });
    }
    const trigger = { kind: 'TriggerPot', instance: 'jackpot', pot: 'main', brand, player: 'p1' } as const;
    await world.actors.reply(
      await world.actors.send([{ ...trigger, source: 'slot-1', user: 'ada', idempotencyKey: null }]),
    );
    // The wallet does not know the third player: the record is refused in its batch and alone, and a person has it.
    const dead = async () => (await world.openCredits()).filter(({ state }) => state === 'dead');
    await world.until(async () => (await dead()).length === 2, 'the third player has nothing yet');
    const [open] = (await run(ofWallet)).differences;
    expect(open).toBeUndefined();
    await putPlayer(wallet, 'p3', { brand_id: brand });
    for (const { transactionId } of await dead()) await decide('RetryCredit', transactionId);
    await world.until(async () => (await world.openCredits()).length === 0, 'credits are settled');
    const { summary, differences } = await run(ofWallet);
    expect(differences).toEqual([]);
    // The trigger's main prize, three shares and three players' prizes of the raffle.
    expect(summary).toMatchObject({ matched: 7, by_hand: 0, ledger: { open: 0 }, statements: { rows: 7 } });
    for (const { ledger, wallet: theirs } of summary.totals) expect(theirs).toEqual(ledger);
  });

  it('differ where the wallet cancels or executes by itself', async () => {
    for (const player of ['p1', 'p2']) await putPlayer(wallet, player, { brand_id: brand });
    await world.actors.activeInstance('jackpot', never);
    await world.startRole();
    for (const player of ['p1', 'p2']) await world.late(await world.contribute({ player }));
    const [first] = await allOf(ofWallet({ fromMs: startMs, toMs: startMs + hourMs }));
    const answered = await wallet.call('POST', `/transactions/${first!.id}/cancel`, {});
    expect(answered.status).toBe(200);
    const { found } = await run(ofWallet);
    expect(found).toEqual([['done_here_cancelled_there', first!.id]]);
  });

  it('are not compared where the wallet serves no statements', async () => {
    await wallet.stop();
    const stopped = settings('http://127.0.0.1:1', { brand });
    const ofStopped: ReconcileInput['statements'] = (period) =>
      statementsOfWallet(stopped, period, { ...testAddresses, development: false });
    await expect(run(ofStopped)).rejects.toThrow(StatementError);
    wallet = await startTestWallet();
  });
});

describe('each planted difference is found', () => {
  it('of debits', async () => {
    await world.actors.activeInstance('jackpot', never);
    const done = await debit('p1', 'debited');
    const missing = await debit('p2', 'debited');
    const cancelled = await debit('p3', 'cancelled');
    const refused = await debit('p4', 'refused');
    const open = await debit('p5', null);
    const unknown = rowOf(done, { id: 'nobody-knows-it' });
    const { found, summary } = await run(() =>
      given([rowOf(done), rowOf(cancelled), rowOf(refused, { state: 'cancelled' }), rowOf(open), unknown]),
    );
    expect(found).toEqual([
      ['done_there_cancelled_here', cancelled.transactionId],
      ['done_there_open_here', open.transactionId],
      ['unknown_to_us', 'nobody-knows-it'],
      ['missing_at_wallet', missing.transactionId],
    ]);
    expect(summary).toMatchObject({ matched: 2, differences: 4, ledger: { open: 1 } });
    expect(summary.kinds).toEqual({
      done_there_cancelled_here: 1,
      done_there_open_here: 1,
      unknown_to_us: 1,
      missing_at_wallet: 1,
    });
  });

  it('of content, to the last unit, and of doubled rows', async () => {
    await world.actors.activeInstance('jackpot', never);
    const records = [];
    for (const player of ['p1', 'p2', 'p3', 'p4', 'p5']) records.push(await debit(player, 'debited'));
    const [amount, currency, player, type, doubled] = records as [DebitRecord, ...DebitRecord[]];
    const { differences, summary } = await run(() =>
      given([
        rowOf(amount, { amountAtoms: amount.amountAtoms + 1n }),
        rowOf(currency!, { currency: 'USD' }),
        rowOf(player!, { player: 'another' }),
        rowOf(type!, { type: 'Credit' }),
        rowOf(doubled!),
        rowOf(doubled!, { timestampMs: doubled!.openedMs + 5 }),
        rowOf(amount, { id: 'x', brand: 'op:other' }),
      ]),
    );
    expect(differences.map(({ kind, id, detail }) => [kind, id, detail])).toEqual([
      ['content_differs', amount.transactionId, 'amount is 1.00000001 there, 1 here'],
      ['content_differs', currency!.transactionId, 'currency is USD there, EUR here'],
      ['content_differs', player!.transactionId, 'player is another there, p3 here'],
      ['content_differs', type!.transactionId, 'type is Credit there, Debit here'],
      ['doubled', doubled!.transactionId, '2 rows have this id'],
    ]);
    expect(summary.statements).toMatchObject({ rows: 6, of_other_brands: 1 });
  });

  it('of credits, and what a person resolved is told apart', async () => {
    await world.actors.activeInstance('jackpot', always);
    const accepted = await credit('p1');
    const unpaid = await credit('p2');
    const paidByBoth = await credit('p3');
    const dead = await credit('p4');
    const settle = (result: 'accepted' | 'unknown' | 'refused', ...ids: string[]) =>
      say({ kind: 'CreditSettled', transactionIds: ids, result, reason: result });
    await settle('accepted', accepted.transactionId);
    await settle('refused', unpaid.transactionId, dead.transactionId);
    await settle('unknown', paidByBoth.transactionId);
    await decide('ResolveCredit', unpaid.transactionId);
    await decide('ResolveCredit', paidByBoth.transactionId);
    const debits = (await run(() => given([]))).differences.filter(({ type }) => type === 'Debit');
    const paid = debits.map(({ id, player }) => ({ ...rowOf(accepted), id, player, type: 'Debit' as const }));
    const { found, onBehalf } = await run(() =>
      given([...paid, rowOf(accepted), rowOf(paidByBoth), rowOf(dead)]),
    );
    expect(found).toEqual([['done_there_open_here', dead.transactionId]]);
    expect(onBehalf.map(({ id, atWallet, note }) => [id, atWallet, note])).toEqual([
      [paidByBoth.transactionId, true, 'ada: paid by bank'],
      [unpaid.transactionId, false, 'ada: paid by bank'],
    ]);
  });

  it('but not of a report that came after its deadline', async () => {
    await world.actors.activeInstance('jackpot', never);
    const late = await debit('p1', null);
    const { transactionId } = late;
    await say({ kind: 'DebitSettled', transactionId, result: 'debited', expiresMs: late.openedMs - 1 });
    await say({ kind: 'DebitSettled', transactionId, result: 'cancelled' });
    const { found } = await run(() => given([rowOf(late)]));
    expect(found).toEqual([['done_there_cancelled_here', transactionId]]);
  });

  it('over the edges of a period, once', async () => {
    await world.actors.activeInstance('jackpot', never);
    const records = [await debit('p1', 'debited'), await debit('p2', 'debited')];
    const edgeMs = records[0]!.openedMs + 1;
    // The wallet's clock is ahead, and it lost the second one.
    const rows = [rowOf(records[0]!, { timestampMs: edgeMs + 60_000 })];
    const before = await run(() => given(rows), { toMs: edgeMs });
    const after = await run(() => given(rows), { fromMs: edgeMs, toMs: startMs + 2 * hourMs });
    expect([before.found, before.summary.matched]).toEqual([[], 0]);
    expect([after.found, after.summary.matched]).toEqual([
      [['missing_at_wallet', records[1]!.transactionId]],
      1,
    ]);
  });
});

describe('statements of files', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'potstream-statements-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const file = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const columns = 'transaction_id,transaction_type,player_id,amount,currency,timestamp,state';

  it('agree with the ledger as CSV and as NDJSON', async () => {
    await world.actors.activeInstance('jackpot', never);
    const rows = [rowOf(await debit('p1', 'debited')), rowOf(await debit('p2', 'debited'))];
    const cells = rows.map(({ id, type, player, amountAtoms, currency, timestampMs, state }) => {
      const time = new Date(timestampMs).toISOString();
      return [id, type, player, formatAmount(amountAtoms), currency, time, state];
    });
    const csv = [`\uFEFF${columns}`, ...cells.map((row) => row.map((cell) => `"${cell}"`).join(','))].join(
      '\r\n',
    );
    const names = columns.split(',');
    const lines = cells.map((row) =>
      JSON.stringify(Object.fromEntries(row.map((cell, i) => [names[i], cell]))),
    );
    for (const path of [file('a.csv', csv), file('a.ndjson', `${lines.join('\n')}\n`)]) {
      const { summary, found } = await run(() => statementsOfFile(path));
      expect([found, summary.matched]).toEqual([[], 2]);
    }
  });

  it('may come from a spreadsheet, with lines of any end', async () => {
    const text =
      `\uFEFF${columns.replaceAll(',', ';')};note;;\r\na;Debit;p;1,5;EUR;1;done;"x\ny";;\nb;Debit;p;2;EUR;1;done;;;\r;;;;;;;;;\r\n` +
      'c;Credit;p;1234,25;EUR;1;done;7E+20;;';
    const rows = await allOf(statementsOfFile(file('a.csv', text)));
    expect(rows.map(({ id, amountAtoms }) => [id, amountAtoms])).toEqual([
      ['a', 150_000_000n],
      ['b', 200_000_000n],
      ['c', 123_425_000_000n],
    ]);
  });

  it('keep every digit of an amount', async () => {
    const large = `{"transaction_id":"b","transaction_type":"Credit","player_id":"p","amount":2160000000004860.25,"currency":"VND","timestamp":1,"state":"done"}`;
    const row = `{"transaction_id":"a","transaction_type":"Credit","player_id":"p","amount":1234567890.12345678,"currency":"EUR","timestamp":1,"state":"done"}`;
    const rows = await allOf(statementsOfFile(file('a.ndjson', `${row}\n${large}`)));
    expect(rows.map(({ amountAtoms }) => amountAtoms)).toEqual([
      123_456_789_012_345_678n,
      216_000_000_000_486_025_000_000n,
    ]);
  });

  it('round what wallets wrote as doubles', async () => {
    const csv = `${columns}\na,Debit,p,0.30000000000000004,EUR,1,done`;
    const row = `{"transaction_id":"a","transaction_type":"Credit","player_id":"p","amount":99.99999999999999,"currency":"EUR","timestamp":1,"state":"done"}`;
    const amounts = async (path: string) =>
      (await allOf(statementsOfFile(path))).map((each) => each.amountAtoms);
    expect(await amounts(file('a.csv', csv))).toEqual([30_000_000n]);
    expect(await amounts(file('a.ndjson', row))).toEqual([10_000_000_000n]);
  });

  it('of lines that are not UTF-8 are refused', async () => {
    const row = `{"transaction_id":"\u00e9","transaction_type":"Credit","player_id":"p","amount":1,"currency":"EUR","timestamp":1,"state":"done"}`;
    expect((await allOf(statementsOfFile(file('a.ndjson', row))))[0]?.id).toBe('\u00e9');
    const path = file('b.ndjson', '');
    writeFileSync(path, Buffer.from(row, 'latin1'));
    await expect(allOf(statementsOfFile(path))).rejects.toThrow(/line 1: not UTF-8/);
  });

  it.each([
    ['a.csv', `${columns}\na,Debit,p,1,EUR,2026-11-22,done`, /line 2: timestamp/],
    ['a.csv', `${columns}\na,Debit,p,-0.000000001,EUR,1,done`, /line 2: amount/],
    ['a.csv', `${columns}\na,Debit,p,-1,EUR,1,done`, /line 2: amount/],
    ['a.csv', `${columns}\na,Refund,p,1,EUR,1,done`, /transaction_type/],
    ['a.csv', `${columns}\na,Debit,p`, /line 2 cannot be read/],
    ['a.csv', `${columns}\na,Debit,"p"q,1,EUR,1,done`, /line 2 cannot be read/],
    ['a.csv', `${columns}\na,Debit,"p,1,EUR,1,done`, /cannot be read: .* line 2 does not end/],
    ['a.csv', `${columns}\n1.5E+20,Debit,p,1,EUR,1,done`, /line 2: transaction_id: a spreadsheet/],
    ['a.csv', `${columns}\na,Debit,p,1.5E+5,EUR,1,done`, /line 2: amount: a spreadsheet/],
    ['a.csv', `${columns},amount\na,Debit,p,1,EUR,1,done,2`, /line 2: amount is there twice/],
    ['a.csv', 'other,columns\n1,2', /transaction_id/],
    ['a.ndjson', 'no JSON', /line 1: not JSON/],
    ['a.ndjson', '{"transaction_id":"a"}', /line 1: transaction_type/],
  ])('in %s are refused: %j', async (name, text, message) => {
    await expect(allOf(statementsOfFile(file(name, text)))).rejects.toThrow(message);
  });

  it('that do not exist are refused', async () => {
    for (const name of ['none.csv', 'none.ndjson'])
      await expect(allOf(statementsOfFile(join(directory, name)))).rejects.toThrow(StatementError);
  });
});
