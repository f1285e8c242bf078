/** A token of more characters than a double surely holds exactly: 15 digits. */
const maybeInexact = /[0-9][0-9.eE+-]{15}/;
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g;
const numberToken = /^(-?[0-9]+)(?:\.([0-9]+))?([eE][+-]?[0-9]+)?$/;
const significantDigits = 15;
const atomDecimals = 8;

/** Reads JSON; an amount that a double may not hold becomes a decimal string. @throws SyntaxError */
export function readExactJson(text: string): unknown {
  if (!maybeInexact.test(text)) return JSON.parse(text);
  // Only well-formed JSON may be rewritten: quotes could make JSON of something else.
  JSON.parse(text);
  return JSON.parse(text.replace(stringOrNumber, exactToken));
}

function exactToken(token: string): string {
  if (token.startsWith('"')) return token;
  const [, units = '', allDecimals = '', exponent] = numberToken.exec(token) ?? [];
  const decimals = allDecimals.replace(/0+$/, '');
  if (exponent !== undefined || decimals.length > atomDecimals) return token;
  if (`${units}${decimals}`.replace(/^-?0*/, '').length <= significantDigits) return token;
  return `"${units}${decimals === '' ? '' : `.${decimals}`}"`;
}
