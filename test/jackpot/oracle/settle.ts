import type { Contribute } from '../../../src/messages/player-commands.ts';
import type {
  CancelDebit,
  CreditSettled,
  DebitSettled,
  FlushSettled,
  ReleaseCredit,
  ResolveCredit,
  RetryCredit,
} from '../../../src/messages/settlement-commands.ts';
import { type Accepted, accept, apply, fits, type Placed, type Result } from './contribute.ts';
import type { OracleInstance } from './instance.ts';
import type { OracleLane } from './lane.ts';
import { creditName, nameId, partId, requestedSource, sourceName } from './names.ts';
import { recordTransfer, successorOf } from './switch.ts';
import { announce, isFull } from './told.ts';
import type { OracleCredit } from './win.ts';

export type Part = Result | 'waiting' | 'refused';

/** A contribution whose answer waits for its debits. */
export interface Waiting {
  readonly sequence: number;
  readonly index: number;
  readonly command: Contribute;
  parts: Part[];
}

export interface OracleDebit {
  readonly id: string;
  readonly instance: OracleInstance;
  readonly of: Waiting;
  readonly part: number;
  readonly priced: Accepted;
  readonly source: string;
  readonly round: string;
  readonly dueMs: number;
  debited: boolean;
}

export interface OpenCredit {
  readonly id: string;
  readonly instance: OracleInstance;
  readonly kind: string;
  readonly wallet: boolean;
  readonly source: string;
  /** The game round that it closes: its own, but of a main or closing credit. */
  readonly round: string;
  atoms: bigint;
  paid: bigint;
  back: bigint;
  state: 'pending' | 'withheld' | 'unknown' | 'dead';
}

/** A contribution to its main target and its links; the main one first, its links when it is applied. */
export function take(
  lane: OracleLane,
  sequence: number,
  index: number,
  command: Contribute,
  placed: readonly Placed[],
): unknown {
  const [main, ...links] = placed;
  const waiting: Waiting = { sequence, index, command, parts: [] };
  const first = takePart(lane, main!, waiting, 0);
  if (typeof first === 'string' && first !== 'waiting') return first;
  waiting.parts = [first as Part];
  if (first !== 'waiting') waiting.parts.push(...contributeToLinks(lane, links, waiting));
  if (!waiting.parts.includes('waiting')) return contributed(waiting.parts);
  waiting.parts = waiting.parts.map((each) => dated(lane, each));
  lane.waiting.add(waiting);
  return { kind: 'Pending' };
}

/** A part that waits for others is told with its own time. */
function dated(lane: OracleLane, part: Part): Part {
  return typeof part === 'string' ? part : { ...part, timestampMs: lane.nowMs };
}

function contributeToLinks(lane: OracleLane, links: readonly Placed[], waiting: Waiting): Part[] {
  return links.map((link, number) => {
    const taken = takePart(lane, link, waiting, number + 1);
    return typeof taken === 'string' && taken !== 'waiting' ? 'refused' : (taken as Part);
  });
}

function takePart(lane: OracleLane, placed: Placed, waiting: Waiting, part: number): Result | string {
  const { command } = waiting;
  const accepted = accept(lane, placed.instance, command);
  if (typeof accepted === 'string') return accepted;
  const { wallet, walletMustMatch } = lane.brands.get(command.brand)!;
  if (walletMustMatch === true && command.wallet !== wallet) return 'wallet_unavailable';
  const { instance } = placed;
  const round = partId(command.contributionId, instance.id, part > 0);
  if (!command.wallet || accepted.debit === 0n) return apply(lane, placed, command, accepted, round);
  if (!fits(instance, accepted)) return 'amount_out_of_range';
  const id = nameId(round);
  const source = sourceName(instance, requestedSource(command));
  lane.debits.set(id, {
    id,
    instance,
    of: waiting,
    part,
    priced: accepted,
    source,
    round,
    debited: false,
    dueMs: lane.nowMs + 4000,
  });
  const batch = batchOf(lane, command, source, id);
  lane.work.push(['debit', id, accepted.debit, accepted.bonus, command.currency, source, round, batch]);
  announce(lane, 'debit');
  return 'waiting';
}

/** The W4 that the debit may share, with its number of records (docs/rules/wallets.md "Batches of debits"). */
function batchOf(lane: OracleLane, command: Contribute, source: string, id: string): [string, number] | null {
  const { batchDebits, closeRounds, provider } = lane.brands.get(command.brand)!;
  if (batchDebits !== true || closeRounds || command.bonus !== null) return null;
  const alike = [command.brand, command.currency, source, command.provider || provider, command.vertical];
  const taken = (batch: OracleBatch) =>
    batch.players.length === 100 || batch.players.includes(command.player);
  let batch = lane.batches.find((each) => String(each.alike) === String(alike) && !taken(each));
  if (batch === undefined) {
    batch = { alike, players: [], shared: [nameId(`debits/${id}`), 0] };
    lane.batches.push(batch);
  }
  batch.players.push(command.player);
  batch.shared[1] += 1;
  return batch.shared;
}

export interface OracleBatch {
  readonly alike: readonly string[];
  readonly players: string[];
  readonly shared: [string, number];
}

export type SettlementPlan = ReadonlyMap<string, readonly Placed[]>;

export function settleDebit(lane: OracleLane, command: DebitSettled, plan: SettlementPlan): unknown {
  const debit = reportedDebit(lane, command);
  if (debit === null) return 'done';
  if (command.result !== 'debited') {
    const code = command.result === 'refused' ? 'debit_refused' : 'wallet_unavailable';
    return settled([finish(lane, debit, 'refused', [], code)]);
  }
  debit.debited = true;
  return settled([applyDebited(lane, debit, plan)]);
}

/** A person says that the player has not paid, and only once nobody asks the wallet any more. */
export function cancelDebit(lane: OracleLane, { transactionId }: CancelDebit): unknown {
  const debit = lane.debits.get(transactionId);
  if (debit === undefined) return 'invalid_parameter';
  if (debit.debited || lane.nowMs <= debit.dueMs) return 'invalid_transition';
  return settled([finish(lane, debit, 'refused', [], 'wallet_unavailable')]);
}

/** Unknown and repeated reports say nothing, and so does one whose time is over. */
export function reportedDebit(
  lane: OracleLane,
  { transactionId, expiresMs = Number.POSITIVE_INFINITY }: DebitSettled,
): OracleDebit | null {
  const debit = lane.debits.get(transactionId);
  return debit === undefined || debit.debited || lane.nowMs > expiresMs ? null : debit;
}

/** Debits that were made while their instance was paused. */
export function applyWaiting(lane: OracleLane, plan: SettlementPlan): unknown[] {
  return [...plan.keys()].map((id) => {
    const debit = lane.debits.get(id);
    return debit === undefined ? null : applyDebited(lane, debit, plan);
  });
}

export function settled(all: readonly unknown[]): unknown {
  const contributions = all.filter((each) => each !== null);
  return contributions.length === 0 ? 'done' : { kind: 'Settled', contributions };
}

export function requiresDebits(instance: OracleInstance): boolean {
  return ['Active', 'Resolving'].includes(instance.status) && instance.epoch !== null;
}

function applyDebited(lane: OracleLane, debit: OracleDebit, plan: SettlementPlan): unknown {
  const placed = plan.get(debit.id);
  if (placed === undefined || isFull(lane)) return null;
  const [main, ...links] = placed;
  if (!requiresDebits(main!.instance)) return null;
  const result = apply(lane, main!, debit.of.command, debit.priced, debit.round, true);
  if (typeof result === 'string') return null;
  if (debit.instance !== main!.instance) lane.switches.debits += 1;
  if (result.win === null) closeRound(lane, debit, main!.instance);
  return finish(lane, debit, result, contributeToLinks(lane, links, debit.of), '');
}

/** With `close_rounds` a credit of zero closes the game round of a debit that won nothing. */
function closeRound(lane: OracleLane, debit: OracleDebit, applied: OracleInstance): void {
  const { of, source, round } = debit;
  const { wallet, closeRounds } = lane.brands.get(of.command.brand)!;
  if (!wallet || !closeRounds) return;
  const id = nameId(`close/${round}`);
  const nothing = { atoms: 0n, paid: 0n, back: 0n };
  lane.credits.set(id, {
    id,
    instance: applied,
    kind: 'close',
    wallet,
    source,
    round,
    ...nothing,
    state: 'pending',
  });
  lane.work.push(['credit', id, 0n, source, round]);
  announce(lane, 'credit');
}

function finish(
  lane: OracleLane,
  debit: OracleDebit,
  part: Part,
  links: readonly Part[],
  code: string,
): unknown {
  const { of } = debit;
  lane.debits.delete(debit.id);
  of.parts = [...of.parts.map((each, i) => (i === debit.part ? part : each)), ...links];
  if (of.parts.includes('waiting')) {
    of.parts = of.parts.map((each) => (each === part || links.includes(each) ? dated(lane, each) : each));
    return null;
  }
  lane.waiting.delete(of);
  const isRefused = of.parts[0] === 'refused';
  const { idempotencyKey: key } = of.command;
  if (key !== null && !isRefused) lane.remember(key, of.command.brand);
  return { sequence: of.sequence, index: of.index, result: isRefused ? code : contributed(of.parts) };
}

function contributed(parts: readonly Part[]): unknown {
  return { kind: 'Contributed', results: parts.filter((each) => typeof each !== 'string') };
}

/** What of a win or round does not leave at once: a player once, in one amount. */
export function openCredits(
  lane: OracleLane,
  instance: OracleInstance,
  kind: string,
  pot: string,
  cycle: number,
  credits: readonly OracleCredit[],
  of: { readonly source: string; readonly round: string },
): void {
  const opened: OpenCredit[] = [];
  const batches = new Map<string, [number, bigint]>();
  for (const each of credits.filter(({ waits }) => waits)) {
    const id = creditName(kind, instance.id, pot, cycle, each.brand, each.name);
    const { wallet } = lane.brands.get(each.brand)!;
    const found = opened.find((credit) => credit.id === id);
    const credit: OpenCredit = found ?? {
      id,
      instance,
      kind: `${kind}/${each.brand}/${each.paidCurrency}`,
      wallet,
      source: of.source,
      round: of.round === '' ? id : of.round,
      atoms: 0n,
      paid: 0n,
      back: 0n,
      state: 'pending',
    };
    credit.atoms += each.atoms;
    credit.paid += each.paid;
    credit.back += each.back;
    if (each.withheld) credit.state = 'withheld';
    if (found === undefined) opened.push(credit);
  }
  for (const credit of opened) {
    lane.credits.set(credit.id, credit);
    if (credit.state === 'withheld') continue;
    if (kind === 'main') {
      lane.work.push(['credit', credit.id, credit.paid, credit.source, credit.round]);
      announce(lane, 'credit');
    } else {
      const [count, total] = batches.get(credit.kind) ?? [0, 0n];
      batches.set(credit.kind, [count + 1, total + credit.paid]);
    }
  }
  for (const [name, [count, total]] of batches) {
    lane.work.push(['batch', name, count, total]);
    announce(lane, 'batch');
  }
}

export function settleCredits(lane: OracleLane, { transactionIds, result }: CreditSettled): unknown {
  const from = {
    accepted: 'pending unknown dead',
    refused: 'pending unknown',
    unknown: 'pending',
    exhausted: 'pending unknown',
  };
  for (const id of transactionIds) {
    const credit = lane.credits.get(id);
    if (credit === undefined || !from[result].split(' ').includes(credit.state)) continue;
    change(lane, credit, result === 'accepted' ? 'settled' : result === 'unknown' ? 'unknown' : 'dead');
  }
  return 'done';
}

export function decideCredit(
  lane: OracleLane,
  { kind, transactionId }: ReleaseCredit | RetryCredit | ResolveCredit,
): unknown {
  const credit = lane.credits.get(transactionId);
  if (credit === undefined) return 'invalid_parameter';
  const from = {
    ReleaseCredit: 'withheld',
    RetryCredit: 'dead unknown',
    ResolveCredit: 'withheld unknown dead',
  };
  if (!from[kind].split(' ').includes(credit.state)) return 'invalid_transition';
  const isReleased = kind === 'ReleaseCredit' && !credit.wallet;
  change(lane, credit, kind === 'ResolveCredit' || isReleased ? 'settled' : 'pending');
  return 'done';
}

function change(lane: OracleLane, credit: OpenCredit, to: OpenCredit['state'] | 'settled'): void {
  const { accounts } = credit.instance;
  lane.touched.add(credit.instance);
  if (credit.kind !== 'close') announce(lane, 'payout');
  if (to !== 'settled') {
    credit.state = to;
    if (to === 'pending') {
      lane.work.push(['credit', credit.id, credit.paid, credit.source, credit.round]);
      announce(lane, 'credit');
    }
    return;
  }
  accounts.win_liability! -= credit.atoms;
  accounts.player! += credit.back;
  accounts.fx! += credit.atoms - credit.back;
  lane.credits.delete(credit.id);
}

/** Step 8: a pool that reached its threshold was set aside by the contribution at hand. */
export function openFlush(lane: OracleLane, instance: OracleInstance): void {
  const atoms = instance.accounts.diversion_pending!;
  if (instance.document.house_pot?.diversion_rules === undefined) return;
  if (instance.flush !== null || atoms === 0n) return;
  instance.flushes += 1;
  instance.flush = { id: nameId(`flush/${instance.id}/${instance.flushes}`), atoms };
  lane.work.push(['flush', instance.flush.id, atoms]);
  announce(lane, 'flush');
}

export function settleFlush(lane: OracleLane, instance: OracleInstance, command: FlushSettled): string {
  const { flush, accounts } = instance;
  if (flush === null || flush.id !== command.flushId) return 'done';
  lane.touched.add(instance);
  accounts.diversion_pending! -= flush.atoms;
  accounts[command.result === 'confirmed' ? 'external' : 'diversion']! += flush.atoms;
  instance.flush = null;
  const taker = successorOf(lane, instance);
  if (taker === instance || command.result === 'confirmed') return 'done';
  lane.switches.flushes += 1;
  const before = [structuredClone(instance), structuredClone(taker)] as const;
  accounts.diversion! -= flush.atoms;
  accounts.transfer! += flush.atoms;
  taker.accounts.transfer! -= flush.atoms;
  taker.accounts.diversion! += flush.atoms;
  recordTransfer(lane, instance, before[0], 'switch', taker.id);
  recordTransfer(lane, taker, before[1], 'receipt', instance.id);
  return 'done';
}
