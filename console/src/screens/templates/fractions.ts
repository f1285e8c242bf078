import { type Configuration, valueAt } from './document.ts';

/** What a fraction comes to, and what is wrong with that. */
export interface Meaning {
  readonly text: string;
  readonly warning?: string;
}

const rules = 'contribution_rules';

/** What each fraction is a part of: by its path without places in lists. */
const wholes: Readonly<Record<string, string>> = {
  [`${rules}.contribution_type`]: 'the wager',
  [`${rules}.operator_contribution_percentage`]: 'the contribution',
  [`${rules}.max_contribution.cap_contribution_by_base_wager`]: 'the wager',
  'house_pot.contribution_type': 'the contribution',
  'house_pot.diversion_rules': 'the house’s part',
  'raffle_rules.prize_distribution': 'the pot’s value',
  'pots.contribution': 'the contribution',
  'pots.seed_contribution': 'the pot’s part',
  'pots.payout_ruleset.main_winner_percentage': 'the pot’s value',
  'pots.payout_ruleset.admin_fee': 'the pot’s value',
  'pots.payout_ruleset.payout_rules': 'the pot’s value',
};
const inside = ['Percentage', 'diversion_percentage', 'prize_percentage', 'payout_percentage'];

/** What the fraction at a path comes to, as it is typed; null: there is none. */
export function meaningOf(document: Configuration, path: string): Meaning | null {
  const whole = wholes[path.replace(/\[\d+\]/g, '')];
  if (whole === undefined) return null;
  const value = valueAt(document, path) ?? defaultOf(document, path);
  const percents = fractionsOf(value).flatMap((each) => percentOf(each) ?? []);
  if (percents.length === 0) return null;
  const text = `= ${percents.join(', ')} of ${whole}`;
  const warning = path === `${rules}.contribution_type` ? warningOf(document) : null;
  return warning === null ? { text } : { text, warning };
}

/** Where a field is empty (docs/rules/configuration.md). */
function defaultOf(document: Configuration, path: string): string | undefined {
  if (path.endsWith('.operator_contribution_percentage')) return operatorPartOf(document);
  return path.endsWith('.main_winner_percentage') ? '1' : undefined;
}

function operatorPartOf(document: Configuration): string {
  const set = valueAt(document, `${rules}.operator_contribution_percentage`);
  return String(set ?? (valueAt(document, `${rules}.opt_in_required`) === true ? '0' : '1'));
}

/** Who pays how much of a wager, where that is more than the wager; null: it is not. */
function warningOf(document: Configuration): string | null {
  const rate = Number(valueAt(document, `${rules}.contribution_type.Percentage`));
  const cap = Number(
    valueAt(document, `${rules}.max_contribution.cap_contribution_by_base_wager`) || Infinity,
  );
  const contributed = Math.min(rate, cap);
  if (!(contributed > 1)) return null;
  const operator = Number(operatorPartOf(document));
  const [operators, players] = [operator, 1 - operator].map((part) => shortPercent(contributed * part));
  return `That is more than the wager itself: of each wager the operator pays ${operators}, and the player ${players} on top. 2 % is written 0.02.`;
}

function fractionsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(fractionsOf);
  if (typeof value !== 'object' || value === null) return [value];
  return inside.flatMap((name) => (value as Configuration)[name] ?? []);
}

/** With all of its digits; null: it is no number yet. */
export function percentOf(fraction: unknown, locale?: string): string | null {
  const text = String(fraction ?? '');
  if (!/^\d{1,15}(\.\d{0,18})?$/.test(text)) return null;
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 18 });
  return `${format.format(`${text.replace(/\.$/, '')}E2` as `${number}`)} %`;
}

/** To four digits. */
export function shortPercent(fraction: number, locale?: string): string {
  return `${new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 }).format(fraction * 100)} %`;
}
