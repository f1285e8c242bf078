import { expectSame, expectThat } from './disagreement.ts';
import type { AccountName, Header, OpeningPot, TimeWindow } from './header.ts';
import { type PotRules, type Rules, readPotRules, readRules } from './rules.ts';
import { openWindow, type TimeState } from './time-windows.ts';

export interface Pot {
  readonly index: number;
  readonly id: string;
  rules: PotRules;
  /** Binds at the next cycle. */
  pending: PotRules | null;
  enabled: boolean;
  cycle: number;
  cycleStart: number;
  cycleContributions: number;
  lastDrawn: bigint;
  /** By trigger: the Time triggers. */
  times: Map<number, TimeState>;
  current: bigint;
  seed: bigint;
  surplus: bigint;
  overflow: bigint;
  carry: bigint;
}

export const potBalances = ['current', 'seed', 'surplus', 'overflow', 'carry'] as const;

/**
 * Recomputes the accounts of an instance from public data. The file does not say when a credit or a delivery was
 * settled, so only the sums of those accounts are certain.
 */
export interface Books {
  readonly rules: Rules;
  /** Of the draws, as the header names them. */
  readonly drawRules: Header['rules'];
  /** When the instance was resumed last. */
  resumed: number | null;
  readonly pots: readonly Pot[];
  house: bigint;
  deficit: bigint;
  operatorCapital: bigint;
  operatorFee: bigint;
  adjustment: bigint;
  transfer: bigint;
  /** It went on as another instance: a flush that fails afterwards goes there without a record here. */
  isSwitched: boolean;
  /** player + win_liability + fx: a credit moves between them when it is settled. */
  paying: bigint;
  /** Of it, what players paid in and were paid, what left through fx, and what waits: as the records say. */
  playerMoved: bigint;
  fxMoved: bigint;
  waiting: bigint;
  /** diversion + diversion_pending + external: likewise when a delivery is confirmed. */
  diverting: bigint;
  /** The most that it was behind a contribution. */
  maxDiverting: bigint;
}

export function openBooks(header: Header): Books {
  const { accounts } = header;
  const configured = header.config.pots as readonly { effective: unknown; pending: unknown }[];
  const rules = readRules(header.config);
  return {
    rules,
    drawRules: header.rules,
    resumed: header.resumed,
    pots: header.pots.map((pot, index) => openPot(pot, index, configured[index]!, rules.isRaffle)),
    house: accounts.house,
    deficit: header.deficit,
    operatorCapital: accounts.operator_capital,
    operatorFee: accounts.operator_fee,
    adjustment: accounts.adjustment,
    transfer: accounts.transfer,
    isSwitched: false,
    paying: payingOf(accounts),
    playerMoved: 0n,
    fxMoved: 0n,
    waiting: 0n,
    diverting: divertingOf(accounts),
    maxDiverting: 0n,
  };
}

function openPot(
  opening: OpeningPot,
  index: number,
  configured: { effective: unknown; pending: unknown },
  isRaffle: boolean,
): Pot {
  const { windows, ...pot } = opening;
  const rules = readPotRules(configured.effective, isRaffle);
  const pending = configured.pending === null ? null : readPotRules(configured.pending, isRaffle);
  return { ...pot, index, rules, pending, times: timesOf(pot.id, rules, windows) };
}

/** The states of Time triggers in the header. */
function timesOf(id: string, rules: PotRules, windows: readonly TimeWindow[]): Map<number, TimeState> {
  const times = new Map<number, TimeState>();
  for (const { trigger, end, lastEvaluated, paidEnd } of windows) {
    const kind = rules.triggers[trigger];
    expectThat(
      'opening',
      kind?.name === 'Time' && !times.has(trigger),
      `pot ${id} has a window of no Time trigger`,
    );
    const startTime = Number(kind!.parameters.start_time);
    times.set(trigger, {
      startTime,
      endTime: Number(kind!.parameters.end_time),
      end,
      lastEvaluated,
      paidEnd,
    });
  }
  const wanted = rules.triggers.filter(({ name }) => name === 'Time').length;
  expectSame('opening', `the number of time windows of pot ${id}`, times.size, wanted);
  return times;
}

/** The same balances, to go back to. */
export function copyBooks(books: Books): Books {
  const pots = books.pots.map((pot) => ({
    ...pot,
    times: new Map([...pot.times].map(([trigger, time]) => [trigger, { ...time }])),
  }));
  return { ...books, pots };
}

/** The windows of a cycle that begins. */
export function openWindows(pot: Pot, nowMs: number): void {
  const before = [...pot.times.values()];
  pot.times = new Map();
  pot.rules.triggers.forEach(({ name, parameters }, trigger) => {
    if (name !== 'Time') return;
    const { start_time, end_time } = parameters;
    // The same times, else what stood at the same place among the Time triggers.
    const same = before.find((each) => each.startTime === start_time && each.endTime === end_time);
    const found = same ?? before[pot.times.size] ?? null;
    pot.times.set(trigger, openWindow(parameters, found, nowMs));
  });
}

/**
 * Settlements are not public but bounded: player and fx keep what the records moved at once, and the waiting amount is
 * at most what was left waiting.
 */
export function checkMoments(
  { accounts }: Header,
  { fxMoved, maxDiverting, playerMoved, rules, waiting }: Books,
  closing: Readonly<Record<AccountName, bigint>>,
): void {
  const { external, fx, player, win_liability } = closing;
  const isPaid =
    win_liability >= 0n &&
    win_liability <= accounts.win_liability + waiting &&
    player >= accounts.player + playerMoved &&
    fx >= accounts.fx + fxMoved;
  expectThat('closing', isPaid, 'player, win_liability and fx cannot come from what was paid');
  const isDelivered =
    closing.diversion >= 0n && closing.diversion_pending >= 0n && external >= accounts.external;
  expectThat('closing', isDelivered, 'diversion, diversion_pending and external go backwards');
  // As long as nothing leaves, all but what had left before is in `diversion`.
  const { flushThreshold } = rules;
  const flushes = flushThreshold !== null && maxDiverting - accounts.external >= flushThreshold;
  if (accounts.diversion_pending > 0n || flushes) return;
  expectSame('closing', 'diversion_pending, which nothing fills', closing.diversion_pending, 0n);
  expectSame('closing', 'external, which nothing reaches', external, accounts.external);
}

/** Compares the books at the end with the beginning of the next epoch. */
export function compareBooks(
  books: Books,
  accounts: Readonly<Record<AccountName, bigint>>,
  deficit: bigint,
  pots: readonly OpeningPot[],
): void {
  const same = (what: string, found: bigint | number | boolean | string, computed: typeof found) =>
    expectSame('closing', what, found, computed);
  same('house', accounts.house, books.house);
  same('operator_capital', accounts.operator_capital, books.operatorCapital);
  same('operator_fee', accounts.operator_fee, books.operatorFee);
  same('adjustment', accounts.adjustment, books.adjustment);
  same('player + win_liability + fx', payingOf(accounts), books.paying);
  const returned = books.isSwitched ? accounts.transfer - books.transfer : 0n;
  expectThat('closing', returned >= 0n, 'transfer takes back what went to the other instance');
  same('transfer', accounts.transfer, books.transfer + returned);
  same('diversion + diversion_pending + external', divertingOf(accounts), books.diverting - returned);
  same('accumulated_seed_deficit', deficit, books.deficit);
  same('the number of pots', pots.length, books.pots.length);
  for (const pot of books.pots) {
    const opened = pots[pot.index]!;
    for (const name of potBalances) same(`${name} of pot ${pot.id}`, opened[name], pot[name]);
    same('the pot', opened.id, pot.id);
    same(`enabled of pot ${pot.id}`, opened.enabled, pot.enabled);
    same(`cycle of pot ${pot.id}`, opened.cycle, pot.cycle);
    same(`cycle_start of pot ${pot.id}`, opened.cycleStart, pot.cycleStart);
    same(`cycle_contributions of pot ${pot.id}`, opened.cycleContributions, pot.cycleContributions);
    same(`last_drawn of pot ${pot.id}`, opened.lastDrawn, pot.lastDrawn);
    same(`time_windows of pot ${pot.id}`, windowsText(opened.windows), windowsText(windowsOf(pot)));
  }
}

function payingOf(accounts: Readonly<Record<AccountName, bigint>>): bigint {
  return accounts.player + accounts.win_liability + accounts.fx;
}

function divertingOf(accounts: Readonly<Record<AccountName, bigint>>): bigint {
  return accounts.diversion + accounts.diversion_pending + accounts.external;
}

function windowsOf(pot: Pot): readonly TimeWindow[] {
  return [...pot.times].map(([trigger, { end, lastEvaluated, paidEnd }]) => ({
    trigger,
    end,
    lastEvaluated,
    paidEnd,
  }));
}

function windowsText(windows: readonly TimeWindow[]): string {
  return windows
    .map(({ trigger, end, lastEvaluated, paidEnd }) => `${trigger}: ${end}, ${lastEvaluated}, ${paidEnd}`)
    .join('; ');
}
