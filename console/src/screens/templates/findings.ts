import { shortPercent } from './fractions.ts';

/** What the sentences are about, of a simulation's report. */
interface Report {
  readonly currency: string;
  readonly contributions: number;
  readonly wagered: string;
  readonly contributed: string;
  readonly paid_to_players: string;
  readonly return_of_wagers: string | null;
  readonly operator: { readonly cost: string };
  readonly pots: readonly { readonly wins: number }[];
}

/** What a simulation found, in a sentence. */
export function findingOf(report: Report, locale?: string): string {
  const { currency, contributions, wagered, paid_to_players: paid, return_of_wagers: returned } = report;
  if (contributions === 0 || returned === null) return 'Nothing was wagered.';
  const cost = Number(report.operator.cost) / Number(wagered);
  const wins = report.pots.reduce((sum, pot) => sum + pot.wins, 0);
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const won =
    wins === 0
      ? 'nobody won'
      : `a win about every ${format.format(Math.round(contributions / wins))} contributions, of ${format.format(Number(paid) / wins)} ${currency} on average`;
  return `${cost < 0 ? 'Brings' : 'Costs'} you ${shortPercent(Math.abs(cost), locale)} of what is wagered; players get ${shortPercent(Number(returned), locale)} of it back; ${won}.`;
}

/** null: contributions are less than wagers. */
export function excessOf({ wagered, contributed }: Report, locale?: string): string | null {
  const part = Number(contributed) / Number(wagered);
  return part > 1
    ? `More was contributed than wagered: ${shortPercent(part, locale)} of the wagers. Is the contribution a percentage that was typed as a whole number? 2 % is written 0.02.`
    : null;
}
