/** Values as spreadsheets write them, as far as they are clear (docs/rules/http.md "CSV"). */

/** TRUE and FALSE in the languages in which spreadsheets have them. */
const truths = 'TRUE WAHR VRAI VERDADERO VERO VERDADEIRO WAAR SANT SAND SANN TOSI PRAWDA PRAVDA IGAZ'.split(
  ' ',
);
const falsehoods = 'FALSE FALSCH FAUX FALSO ONWAAR FALSKT FALSK USANN EPÄTOSI FAŁSZ NEPRAVDA HAMIS'.split(
  ' ',
);

/** null: it says neither. */
export function booleanOf(cell: string): boolean | null {
  const word = cell.toUpperCase();
  if (truths.includes(word)) return true;
  return falsehoods.includes(word) ? false : null;
}

/** Forms of a long number that was rounded, and of a formula that failed. */
const rounded = /^[+-]?[0-9]+(?:[.,][0-9]+)?e[+-][0-9]+$/i;
const failed = /^#(?:[\p{Lu}0-9/]+[!?]|N\/A|NV)$|^Err:[0-9]{3}$/u;

/** Whether a spreadsheet has replaced the text of the cell: 12345678901234567890 became 1.23457E+19. */
export function isReplaced(cell: string): boolean {
  return rounded.test(cell) || failed.test(cell);
}

/** The decimal with a point; null: it was rounded, or its comma may separate thousands. Other texts stay. */
export function decimalOf(cell: string): string | null {
  if (isReplaced(cell)) return null;
  if (!cell.includes(',')) return cell;
  const [, units = '', decimals = ''] = /^(-?[0-9]+),([0-9]+)$/.exec(cell) ?? [];
  return units === '' || decimals.length === 3 ? null : `${units}.${decimals}`;
}
