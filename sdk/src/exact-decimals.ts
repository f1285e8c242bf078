import { LosslessNumber, parse, stringify } from 'lossless-json';
import { decimals } from './generated/decimals.ts';

/** Decimals of contribution results and of diversions in webhooks. */
const webhookDecimals = [
  ...(decimals['POST /v2/jackpot/contributions'] ?? []).map((path) => `results.${path}`),
  'amount',
];

/**
 * The JSON text of an answer with its decimals as strings. A double holds 15 digits, and amounts have more: JSON.parse
 * would round them.
 */
export function exactAnswer(method: string, path: string, text: string): string {
  const paths = decimals[`${method} ${path}`];
  return paths === undefined || text === '' ? text : exact(text, paths);
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
