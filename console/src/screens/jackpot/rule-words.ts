import { type Amount, moneyText } from '../../parts/decimals.ts';
import { dayMs } from '../reports/days.ts';
import { percentOf } from '../templates/fractions.ts';

type Part = { readonly Percentage: Amount } | { readonly Fixed: Amount } | object;

/** What the words are about: as instances show it. */
interface Ruled {
  readonly currency: string;
  readonly contribution_rules: {
    readonly contribution_type: Part;
    readonly operator_contribution_percentage: Amount;
    readonly opt_in_required: boolean;
    readonly max_contribution: { readonly max_contribution_value: Amount | null } | null;
  };
  readonly house_pot: { readonly contribution_type: Part };
  readonly raffle_rules: { readonly cost_per_ticket: Amount; readonly cost_source: string } | null;
  readonly pots: readonly {
    readonly id: string;
    readonly enabled: boolean;
    readonly contribution: Part;
    readonly seed_contribution: Part;
    readonly pot_types: readonly object[];
  }[];
}

/** What is taken of a wager, who pays it, and what each pot drops at: a sentence each. */
export function rulesInWords(ruled: Ruled, locale?: string): readonly string[] {
  const { currency, contribution_rules: rules, raffle_rules: raffle } = ruled;
  const money = (amount: Amount) => moneyText(amount, currency, locale);
  const percent = (fraction: Amount) => percentOf(fraction, locale) ?? `${fraction} times all`;
  const partOf = (part: Part, whole: string) => {
    if ('Percentage' in part) return `${percent(part.Percentage)} of ${whole}`;
    return 'Fixed' in part ? `${money(part.Fixed)} of ${whole}` : `nothing of ${whole}`;
  };
  const max = rules.max_contribution?.max_contribution_value ?? '';
  const taken =
    'Fixed' in rules.contribution_type
      ? `${money(rules.contribution_type.Fixed)} with each wager`
      : partOf(rules.contribution_type, 'each wager');
  return [
    `A contribution is ${taken}${max === '' ? '' : `, at most ${money(max)}`}.`,
    `${payerOf(rules.operator_contribution_percentage, percent)}${rules.opt_in_required ? ' Only players who opted in contribute.' : ''}`,
    `The house gets ${partOf(ruled.house_pot.contribution_type, 'each contribution')}.`,
    ...(raffle === null
      ? []
      : [
          `The pot is paid in rounds to players with tickets: one for each ${money(raffle.cost_per_ticket)} that they ${raffle.cost_source === 'BaseWager' ? 'wager' : 'contribute'}.`,
        ]),
    ...ruled.pots.map((pot) => {
      if (!pot.enabled) return `Pot ${pot.id} takes no part.`;
      const share = `Pot ${pot.id} gets ${partOf(pot.contribution, 'each contribution')}, and puts ${partOf(pot.seed_contribution, 'that')} aside for its next cycle.`;
      if (raffle !== null) return share;
      const drops = pot.pot_types.map((type) => dropOf(type, money, locale));
      return `${share} It ${drops.length === 0 ? 'is never won' : drops.join(', or ')}.`;
    }),
  ];
}

function payerOf(operator: Amount, percent: (fraction: Amount) => string): string {
  if (Number(operator) === 1) return 'The operator pays it.';
  if (Number(operator) === 0) return 'The player pays it, on top of the wager.';
  return `The operator pays ${percent(operator)} of it, and the player the rest, on top of the wager.`;
}

function dropOf(type: object, money: (amount: Amount) => string, locale: string | undefined): string {
  const [kind = '', parameters = {}] = Object.entries(type)[0] ?? [];
  const value = (name: string) => (parameters as Readonly<Record<string, Amount>>)[name] ?? 0;
  const time = (name: string) => {
    const utc = new Date(Number(value(name))).toISOString();
    return Number(value('end_time')) < dayMs ? utc.slice(11, 16) : utc.slice(0, 16).replace('T', ' ');
  };
  switch (kind) {
    case 'HitRate':
      return `is won by chance: once in ${Number(value('max_magic_number')).toLocaleString(locale)} attempts of ${money(value('cost_per_attempt'))}, on average`;
    case 'Threshold':
      return `drops between ${money(value('min_value'))} and ${money(value('max_value'))}`;
    case 'Time':
      return `drops between ${time('start_time')} and ${time('end_time')} UTC${Number(value('end_time')) < dayMs ? ' of every day' : ''}, or with the first contribution after that`;
    default:
      return 'is won when an administrator says so';
  }
}
