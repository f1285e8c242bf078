import { ensureAmount, kindOf, refused } from '../kit/answers.ts';
import type { Check } from '../kit/check.ts';
import type { Target, TestPlayer } from '../kit/target.ts';

const floatAdvice =
  'Keep money as integers of the minor unit or as decimals, never as binary floating-point numbers.';

const wholeUnit = 100_000_000n;
/** More than any jackpot pays, and still exact as a JSON number. */
const largeAmount = 12_345_678_900_000_000n;

function withDecimals(digits: 0 | 3) {
  return ({ main, second, others }: Target): TestPlayer | undefined =>
    [main, second, ...others].find(({ minorAtoms }) => minorAtoms === wholeUnit / 10n ** BigInt(digits));
}

/** Small amounts of a currency with this number of decimals. */
function currencyCheck(id: string, digits: 0 | 3, example: string): Check {
  const find = withDecimals(digits);
  return {
    id,
    rule: `Amounts of a currency with ${digits} decimals, such as ${example}, are exact.`,
    advice: floatAdvice,
    needs: (target) => (find(target) === undefined ? `a player of such a currency (${example})` : null),
    async run(kit) {
      const player = find(kit.target)!;
      const before = await kit.balance(player);
      await kit.credit(1n, {}, player);
      const { exchange } = await kit.credit(1001n, {}, player);
      ensureAmount('The balance', await kit.balance(player), before + 1002n * player.minorAtoms, exchange);
      await kit.debit(1002n, {}, player);
      ensureAmount('The balance', await kit.balance(player), before);
    },
  };
}

/** Amounts are exact. */
export const amountChecks: readonly Check[] = [
  {
    id: 'amounts.smallest',
    rule: 'The smallest amount of the currency moves exactly that.',
    advice: floatAdvice,
    async run(kit) {
      const before = await kit.balance();
      const { exchange } = await kit.debit(1n);
      ensureAmount('The balance', await kit.balance(), before - kit.main.minorAtoms, exchange);
      await kit.credit(1n);
      ensureAmount('The balance', await kit.balance(), before);
    },
  },
  {
    id: 'amounts.no-drift',
    rule: 'Many small amounts add up exactly.',
    advice: floatAdvice,
    async run(kit) {
      const before = await kit.balance();
      for (const units of [10n, 20n, 7n, 13n, 29n, 1n]) await kit.debit(units);
      const { balance, exchange } = await kit.credit(80n);
      ensureAmount('`balance`', balance, before, exchange);
      ensureAmount('The balance that W1 has', await kit.balance(), before, exchange);
    },
  },
  {
    id: 'amounts.large',
    rule: 'A large amount is exact to the last digit.',
    advice: `${floatAdvice} The largest amount of the service has 11 digits before the point.`,
    async run(kit) {
      const before = await kit.balance();
      const units = largeAmount / kit.main.minorAtoms + 7n;
      const { balance, exchange } = await kit.credit(units);
      ensureAmount('`balance`', balance, before + units * kit.main.minorAtoms, exchange);
      await kit.debit(units);
      ensureAmount('The balance', await kit.balance(), before);
    },
  },
  {
    id: 'amounts.too-many-decimals',
    rule: 'An amount with more decimals than the currency is refused for good, or moved exactly.',
    advice: 'Refuse it with 4xx and the error shape. Never round or cut an amount: the balances would part.',
    async run(kit) {
      const before = await kit.balance();
      const amount = kit.main.minorAtoms + kit.main.minorAtoms / 2n;
      const debit = kit.transaction('Debit', 0n, { amount });
      const exchange = await kit.execute(debit);
      if (kindOf(exchange) !== 'accepted') {
        refused(exchange);
        ensureAmount('The balance afterwards', await kit.balance(), before, exchange);
        return;
      }
      const after = await kit.balance();
      await kit.execute(kit.transaction('Credit', 0n, { amount }));
      ensureAmount('The balance', after, before - amount, exchange);
    },
  },
  currencyCheck('amounts.no-decimals', 0, 'JPY'),
  currencyCheck('amounts.three-decimals', 3, 'KWD'),
];
