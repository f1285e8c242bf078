import { expect } from 'vitest';
import type { LaneAnswer } from '../../../src/gateway/lanes/lane-client.ts';
import { add, type Ledger } from './money-ledger.ts';
import type { MoneySystem } from './money-system.ts';
import type { WalletNetwork } from './wallet-network.ts';

/**
 * What must hold of every history once it has come to rest, and every delayed call has arrived. Wins of `reportedOnly`, brands
 * whose wallet was off at some time, are no credits.
 */
export function checkMoney(
  { network, bugs }: MoneySystem,
  ledger: Ledger,
  reportedOnly: readonly string[] = ['op:switched'],
): void {
  expect(bugs, 'no wallet process met a bug').toEqual([]);
  checkAccounts(ledger);
  checkCalls(network);
  checkDebits(network, ledger);
  checkCredits(network, ledger, reportedOnly);
}

/** Double entry: the accounts of an instance sum to zero, and nothing is owed any more. */
function checkAccounts({ replica }: Ledger): void {
  for (const instance of replica.engine.instances()) {
    const accounts = replica.engine.accounts(instance)!;
    expect(
      accounts.reduce((sum, [, atoms]) => sum + atoms, 0n),
      `accounts of ${instance}`,
    ).toBe(0n);
    expect(new Map(accounts).get('win_liability') ?? 0n, `what ${instance} owes`).toBe(0n);
  }
}

/** Bodies are the same over all tries, W3 never follows W2, no credit is cancelled, none is paid in two ways. */
function checkCalls(network: WalletNetwork): void {
  const complaints = [...network.sent.complaints];
  for (const wallet of network.all()) complaints.push(...wallet.complaints);
  if (complaints.length > 0) throw new Error(complaints.join('; '));
}

/** The wallet has debited exactly what the lane has applied, and no debit hangs. */
function checkDebits(network: WalletNetwork, { debits }: Ledger): void {
  const ids = new Set(debits.map(({ debit }) => debit.transactionId));
  for (const { debit, result } of debits) {
    const { transactionId: id, brand } = debit;
    expect(result, `the lane has debit ${id} open`).not.toBe(null);
    const isDebited = network.of(brand).has(id);
    expect(isDebited, `debit ${id} is ${result} in the lane`).toBe(result === 'applied');
  }
  for (const wallet of network.all()) {
    for (const [id, { type }] of wallet.present())
      if (type === 'Debit') expect(ids.has(id), `debit ${id} is one of the lane's`).toBe(true);
  }
  for (const { debit } of debits) {
    const paid = [...network.of(debit.brand).present()].find(([id]) => id === debit.transactionId)?.[1];
    if (paid !== undefined) expect(paid.atoms).toBe(debit.amountAtoms);
  }
}

/** Every credit was paid once with its own amount, and together they are what was won. */
function checkCredits(
  network: WalletNetwork,
  { credits, won }: Ledger,
  reportedOnly: readonly string[],
): void {
  const credited = new Map<string, bigint>();
  const awarded = new Map<string, bigint>();
  const shares = new Map<string, bigint>();
  for (const { credit, withheldFromMs, releasedMs } of credits.values()) {
    const { transactionId: id, brand, paidCurrency, paidAtoms, state, kind } = credit;
    expect(state, `credit ${id}`).toBe('settled');
    if (kind === 'main' || kind === 'community') add(shares, `${brand} ${paidCurrency}`, paidAtoms);
    // What a person has paid in another way is never paid by the wallet, too.
    const isByWallet = credit.wallet && !network.of(brand).isBarred(id);
    if (isByWallet) add(awarded, paidCurrency, paidAtoms);
    expect(network.of(brand).has(id), `credit ${id} is paid`).toBe(isByWallet);
    const sentMs = network.sent.firstMs(id);
    if (withheldFromMs !== null && sentMs !== null)
      expect(sentMs, `credit ${id} is sent once it was released`).toBeGreaterThanOrEqual(releasedMs!);
  }
  for (const wallet of network.all()) {
    for (const [id, { type, currency, atoms, player }] of wallet.present()) {
      if (type !== 'Credit') continue;
      add(credited, currency, atoms);
      expect(credits.get(id)?.credit, `credit ${id} is one of the lane's`).toMatchObject({ player });
    }
  }
  expect([...credited].toSorted(), 'sums of credits').toEqual([...awarded].toSorted());
  for (const [key, atoms] of won) {
    if (!reportedOnly.includes(key.split(' ')[0]!))
      expect(shares.get(key) ?? 0n, `what ${key} won`).toBe(atoms);
  }
}

/** What a caller was told is what the log says. */
export function checkAnswers(answers: readonly LaneAnswer[], { outcomes, settled }: Ledger): void {
  for (const { outcome, sequence, index } of answers) {
    const recorded = outcomes.get(sequence)?.[index];
    expect(recorded?.kind === 'Pending' ? settled.get(`${sequence}:${index}`) : recorded).toEqual(outcome);
  }
}
