/**
 * Texts as both databases can store them: PostgreSQL has no U+0000, and neither has surrogates without their
 * other half, so they become U+2400 and U+FFFD. Ids have none of them (docs/rules/http.md "Identifiers").
 */
export function storableText(text: string): string {
  const whole = isWellFormed(text) ? text : Buffer.from(text, 'utf8').toString('utf8');
  return whole.includes('\0') ? whole.replaceAll('\0', '\u2400') : whole;
}

/** The same for all texts and names within a value. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify writes both as escapes.
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return text;
  return JSON.stringify(cleaned(value));
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storableText(name), cleaned(each)]));
}

const surrogate = /\p{Surrogate}/u;

function isWellFormed(text: string): boolean {
  return !surrogate.test(text);
}
