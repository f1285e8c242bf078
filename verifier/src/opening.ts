import { potBalances } from './books.ts';
import { expectSame, expectThat } from './disagreement.ts';
import { type AccountName, accountNames, type Header, type OpeningPot } from './header.ts';
import { fitsDuration } from './round-times.ts';
import { type PotRules, type Rules, readPotRules } from './rules.ts';
import type { Members } from './shape.ts';
import { openWindow } from './time-windows.ts';

/** Nothing of these may be below zero: pots and liabilities by double entry, the others because nothing comes back from them. */
const neverBelow: readonly AccountName[] = [
  'house',
  'diversion',
  'diversion_pending',
  'win_liability',
  'operator_fee',
  'external',
  'fx',
];
/** Accounts that only contributions, wins and deliveries move. */
const emptyAtFirst: readonly AccountName[] = [
  'player',
  'win_liability',
  'fx',
  'operator_fee',
  'diversion_pending',
  'external',
];

/**
 * Checks the beginning of an epoch: double entry, impossible states and, until a number has been given, every starting
 * value that the rules determine. Returns notes for a person.
 */
export function checkOpening(header: Header, rules: Rules): string {
  const { accounts, pots } = header;
  for (const name of neverBelow)
    expectThat('opening', accounts[name] >= 0n, `account ${name} begins below zero`);
  expectThat('opening', accounts.transfer <= 0n, 'more balances have left than have come');
  expectThat('opening', header.deficit >= 0n, 'accumulated_seed_deficit begins below zero');
  expectSame('opening', 'the sum of all accounts', sumOf(header), 0n);
  const potRules = pots.map((pot, index) => checkPot(header, pot, index, rules.isRaffle));
  expectSame('opening', 'whether there is a raffle', header.raffle !== null, rules.isRaffle);
  if (header.epoch === 0) {
    expectSame('opening', 'first_seq of the first epoch', header.firstSequence, 1);
    const isFirst = header.previousHead.every((byte) => byte === 0);
    expectThat('opening', isFirst, 'prev_head of the first epoch is not 32 zero bytes');
    checkBeacon(header.beacon.length > 0, header.config);
  }
  expectThat('opening', header.firstSequence >= 1, 'numbers begin with 1');
  if (header.firstSequence > 1) {
    expectThat('opening', !header.received, 'received belongs to an instance that has no number yet');
    return `${pots.length} pots`;
  }
  checkBeginning(header, rules, potRules);
  return [`${pots.length} pots`, ...claimsOf(header)].join('; ');
}

/** The rules in force when an epoch begins, those of the epoch before, say whether it waits for a beacon. */
export function checkBeacon(hasBeacon: boolean, before: Members): void {
  const isThere = hasBeacon || before.draw_beacon !== 'Required';
  expectThat('opening', isThere, 'the epoch began without the beacon that the rules want');
}

function sumOf({ accounts, pots }: Header): bigint {
  const inPots = pots.flatMap((pot) => potBalances.map((name) => pot[name]));
  const others = accountNames.map((name) => accounts[name]);
  return [...inPots, ...others].reduce((sum, atoms) => sum + atoms, 0n);
}

function checkPot(
  { config, firstSequence }: Header,
  pot: OpeningPot,
  index: number,
  isRaffle: boolean,
): PotRules {
  const { id } = pot;
  const effective = (config.pots as readonly { effective: unknown }[])[index]!.effective;
  const rules = readPotRules(effective, isRaffle);
  expectSame('opening', `the id of pot ${index}`, id, (effective as { id?: string }).id ?? '');
  for (const name of [...potBalances, 'lastDrawn'] as const)
    expectThat('opening', pot[name] >= 0n, `${name} of pot ${id} begins below zero`);
  // Each of both takes a number.
  const isCounted = pot.cycle >= 1 && pot.cycle <= firstSequence && pot.cycleContributions < firstSequence;
  expectThat('opening', isCounted, `pot ${id} counts more cycles or contributions than there are numbers`);
  expectThat('opening', rules.enabled || !pot.enabled, `pot ${id} is open against its rules`);
  checkWindows(pot, rules);
  return rules;
}

/** A window is the first that ends after its cycle began and that was not paid; a pot that is closed may keep one. */
function checkWindows({ cycleStart, enabled, id, windows }: OpeningPot, { triggers }: PotRules): void {
  for (const { end, lastEvaluated, paidEnd, trigger } of windows) {
    const kind = triggers[trigger];
    expectThat('opening', kind?.name === 'Time', `pot ${id} has a window of no Time trigger`);
    const before = { startTime: 0, endTime: 0, end: null, lastEvaluated: null, paidEnd };
    const wanted = openWindow(kind!.parameters, before, cycleStart).end;
    const isPaid = !enabled && end !== null && end === paidEnd;
    if (!isPaid) expectSame('opening', `end of a time window of pot ${id}`, end, wanted);
    const isEvaluated = lastEvaluated === null || end !== null;
    expectThat('opening', isEvaluated, `a window of pot ${id} that draws nothing has been drawn`);
  }
}

/** Nothing has happened yet but what an administrator may do before an instance starts: adjust, and hand over balances. */
function checkBeginning(header: Header, rules: Rules, potRules: readonly PotRules[]): void {
  const { accounts, pots } = header;
  const same = (what: string, found: bigint | number | boolean | null, wanted: typeof found) =>
    expectSame('opening', `${what} before the first number`, found, wanted);
  for (const name of emptyAtFirst) same(name, accounts[name], 0n);
  same('resumed', header.resumed, null);
  const startMs = Math.min(...pots.map(({ cycleStart }) => cycleStart));
  pots.forEach((pot, index) => {
    const of = (name: string) => `${name} of pot ${pot.id}`;
    same(of('cycle'), pot.cycle, 1);
    same(of('cycle_contributions'), pot.cycleContributions, 0);
    // Behind the first epoch a pot may have been enabled again.
    if (header.epoch === 0) same(of('cycle_start'), pot.cycleStart, startMs);
    same(of('last_drawn'), pot.lastDrawn, pot.current);
    same(of('enabled'), pot.enabled, potRules[index]!.enabled);
    for (const window of pot.windows) {
      same(of('last_evaluated'), window.lastEvaluated, null);
      same(of('paid_end'), window.paidEnd, null);
    }
  });
  checkMoney(header, potRules);
  if (header.raffle === null) return;
  same('the round', header.raffle.round, 1);
  same('tickets', header.raffle.tickets, 0);
  // Behind the first epoch other rules may wait for the next round.
  if (header.epoch > 0) return;
  const { end, start } = header.raffle;
  const origin = { fromMs: startMs, sinceMs: startMs };
  const isRegular = start === startMs || (start < startMs && start === end);
  const fits = isRegular && fitsDuration(rules.raffle, origin, header.raffle);
  expectThat('opening', fits, 'the first round does not run as its rules say');
}

/** Initial seeds are posted, but perhaps to an instance that took over balances by a model switch. */
function checkMoney(header: Header, potRules: readonly PotRules[]): void {
  const { accounts, epoch, pots } = header;
  const seeds = potRules.reduce((sum, { initialSeed }) => sum + initialSeed, 0n);
  const hasReceived = accounts.transfer < 0n || header.received;
  expectThat('opening', accounts.transfer === 0n || !header.received, 'received is said of what is seen');
  if (hasReceived && accounts.operator_capital === 0n) return;
  expectSame('opening', 'operator_capital before the first number', accounts.operator_capital, -seeds);
  if (hasReceived) return;
  expectSame('opening', 'diversion before the first number', accounts.diversion, 0n);
  expectSame('opening', 'accumulated_seed_deficit before the first number', header.deficit, 0n);
  pots.forEach(({ carry, current, id, overflow }, index) => {
    const { cap, initialSeed } = potRules[index]!;
    expectSame('opening', `carry of pot ${id} before the first number`, carry, 0n);
    const value = current + overflow;
    const isSeeded = value >= initialSeed;
    expectThat('opening', isSeeded, `pot ${id} begins with less than its initial seed`);
    // Behind the first epoch a higher maximum may hold by now.
    if (epoch > 0) return;
    const above = cap !== null && value > cap ? value - cap : 0n;
    const spilt = above < initialSeed ? above : initialSeed;
    expectSame('opening', `overflow of pot ${id} before the first number`, overflow, spilt);
  });
}

/** Claims of the file that nothing in it can prove. */
function claimsOf({ accounts, received }: Header): readonly string[] {
  const claims: string[] = [];
  if (accounts.adjustment !== 0n)
    claims.push(`${-accounts.adjustment} atoms were put in by administrators before the start`);
  if (accounts.transfer !== 0n || received)
    claims.push(`${-accounts.transfer} atoms came from other instances, whose last records show them`);
  return claims;
}
