import { LosslessNumber, parse, stringify } from 'lossless-json';
import { decimals, eventDecimals } from './generated/decimals.ts';

/** Decimals of contribution results, diversions and events in webhooks. */
const webhookDecimals = [
  ...(decimals['POST /v2/jackpot/contributions'] ?? []).map((path) => `results.${path}`),
  'amount',
  ...eventDecimals,
];

/**
 * The JSON text of an answer with its decimals as strings. A double holds 15 digits, and amounts have more: JSON.parse
 * would round them.
 */
export function exactAnswer(method: string, path: string, text: string): string {
  const paths = decimals[`${method} ${path}`];
  return paths === undefined || text === '' ? text : exact(text, paths);
}

const resultDecimals = (decimals['POST /v2/jackpot/contributions'] ?? []).map((path) =>
  path.slice('*.'.length),
);
const streamDecimals = resultDecimals.map((name) => `results.*.${name}`);
const decimalMember = new RegExp(`"(${resultDecimals.join('|')})":(-?[0-9][0-9.eE+-]*)`, 'g');

/**
 * A line of the contribution stream, with its decimals as strings. Most lines are read in one pass: within a text, quotes are
 * escaped, so only a member of the metadata can look like a decimal, and then there are too many of them.
 */
export function exactStreamLine(line: string): unknown {
  let quoted = 0;
  const text = line.replace(decimalMember, (_, name: string, digits: string) => {
    quoted += 1;
    return `"${name}":"${digits}"`;
  });
  if (quoted === 0) return JSON.parse(line);
  const value = JSON.parse(text) as { readonly results?: unknown } | null;
  const results = Array.isArray(value?.results) ? value.results.length : 0;
  return quoted === results * resultDecimals.length ? value : JSON.parse(exact(line, streamDecimals));
}

/** The content of a webhook's body, with its amounts as strings. */
export function exactWebhook(text: string): unknown {
  return JSON.parse(exact(text, webhookDecimals));
}

function exact(text: string, paths: readonly string[]): string {
  let value = parse(text);
  for (const path of paths) value = converted(value, path === '' ? [] : path.split('.'));
  return stringify(value) ?? '';
}

function converted(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value instanceof LosslessNumber ? value.value : value;
  if (Array.isArray(value)) return step === '*' ? value.map((item) => converted(item, rest)) : value;
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    step === '*' || step === name ? converted(member, rest) : member,
  ]);
  return Object.fromEntries(members);
}
