import { formatAmount } from '../../lib/money.ts';
import type { ColumnKind } from '../base/columns.ts';

/**
 * Cells that a spreadsheet shows as they are (docs/rules/reports.md "Exports"): a text that it would take for
 * a formula, a number, a date or a truth has an apostrophe before it, and so has one that begins with one.
 */

/** Line ends of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/** Empty: there is nothing; quotes with nothing between them: an empty text. */
export function csvCell(kind: ColumnKind, value: unknown): string {
  if (value === null || value === undefined) return '';
  switch (kind) {
    case 'amount':
    case 'sum':
      return formatAmount(value as bigint);
    case 'time':
      return new Date(value as number).toISOString();
    case 'text':
    case 'hex':
      return quoted(guarded(value as string));
    case 'json':
      return quoted(guarded(JSON.stringify(value)));
    default:
      return String(value);
  }
}

const formula = /^[=+\-@\t\r\n'\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Digits and what stands between them in numbers, dates, times and amounts of money. */
const numeric = /^[\s\d.,:;/\\()%eE+\-\p{Sc}]*\d[\s\d.,:;/\\()%eE+\-\p{Sc}]*$/u;
/** `3 PM`, `5. Mai 2026`, `1-jan`. */
const beginsAsDate = /^\d{1,4}[\s./-]*\p{L}{1,9}\.?(?:[\s./-]*\d{1,4})?$/u;
/** `Mar 1`, `SEPT2`: the months of the languages of Europe begin with these. */
const endsAsDate =
  /^(?:jan|jän|gen|ene|janv|feb|fev|fév|febr|mar|mär|mrz|mrt|apr|avr|abr|may|mai|mag|maj|mei|jun|jui|giu|jul|lug|aug|aoû|ago|sep|set|oct|okt|ott|out|nov|dec|déc|dez|dic|des)\p{L}*\.?[\s./-]*\d{1,4}$/iu;
const truth = /^(?:true|false|wahr|falsch|vrai|faux|vero|falso|verdadero|sand|falsk|sant|usant)$/i;

function guarded(text: string): string {
  const isTaken = [formula, numeric, beginsAsDate, endsAsDate, truth].some((pattern) => pattern.test(text));
  return isTaken ? `'${text}` : text;
}

function quoted(text: string): string {
  if (text !== '' && !/["\r\n,;\t]|^\s|\s$/.test(text)) return text;
  return `"${text.replaceAll('"', '""')}"`;
}
