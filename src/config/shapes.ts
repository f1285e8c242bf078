import { resolve } from 'node:path';
import { z } from 'zod';
import { readNetwork } from '../network/trusted-proxies.ts';

/** How the text of a variable is read, and how a value is written for a child process. */
export interface SettingShape<Value> {
  readonly type: z.ZodType<Value>;
  readonly write: (value: Value) => string;
}

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
export const mebibyte = 1024 * 1024;

export const anyText = shape(z.string());
export const someText = shape(z.string().min(1));
/** Empty: null. */
export const optionalText = shape(z.string().transform((text) => text || null));
/** An absolute path in the settings. */
export const path = shape(
  z
    .string()
    .min(1)
    .transform((each) => resolve(each)),
);
export const optionalPath = shape(z.string().transform((each) => (each === '' ? null : resolve(each))));
/** A place of archived messages: an absolute path, or one of these words. */
export const archivePlace = shape(
  z.string().transform((place) => (place === 'objects' || place === 'off' ? place : resolve(place))),
);

const flags = z.enum(['', '0', '1', 'true', 'false']);
export const yesOrNo = shape(flags.transform(isYes), (value) => (value ? '1' : '0'));
export const yesOrNoIfSet = shape(
  flags.transform((text) => (text === '' ? null : isYes(text))),
  (value) => (value === null ? '' : value ? '1' : '0'),
);

export function oneOf<const Word extends string>(...words: readonly Word[]): SettingShape<Word> {
  return shape(z.enum(words) as unknown as z.ZodType<Word>);
}

/** An integer; in the settings it is multiplied by its unit, such as milliseconds for one of seconds. */
export function count(min: number, max?: number, unit = 1): SettingShape<number> {
  return scaled(integer(min, max), unit);
}

/** A number that may have decimals, with a unit as that of `count`. */
export function decimal(min: number, max: number, unit = 1): SettingShape<number> {
  return scaled(z.coerce.number().min(min).max(max), unit);
}

/** As `count`; empty: null. */
export function optionalCount(min: number, max?: number, unit = 1): SettingShape<number | null> {
  const empty = z.literal('').transform(() => null);
  return shape(
    z.union([empty, integer(min, max)]).transform((value) => (value === null ? null : value * unit)),
    (value) => (value === null ? '' : String(value / unit)),
  );
}

/** A ratio in the settings. */
export function percent(min: number, max: number): SettingShape<number> {
  return shape(
    integer(min, max).transform((value) => value / 100),
    (ratio) => String(Math.round(ratio * 100)),
  );
}

export const replicas = shape(
  z.coerce
    .number()
    .int()
    .refine((value) => value === 1 || value === 3 || value === 5, 'must be 1, 3 or 5'),
);

export const hostName = shape(
  z.string().regex(/^[A-Za-z0-9_-]{0,64}$/, 'at most 64 letters, digits, _ or -'),
);

const maxNetworks = 256;
/** Each as `readNetwork` takes it. */
export const networks = shape(
  z.string().transform((text, context): readonly string[] => {
    const list = wordsOf(text);
    const wrong = list.filter((network) => readNetwork(network) === null);
    if (wrong.length > 0)
      context.addIssue(`not a network, or a network of all addresses: ${wrong.join(' ')}`);
    if (list.length > maxNetworks) context.addIssue(`more than ${maxNetworks} networks`);
    return list;
  }),
  (list) => list.join(','),
);

const maxCurrencies = 64;
/** Amounts in units, by currency. */
export const sums = shape(
  z.string().transform((text, context): ReadonlyMap<string, string> => {
    const limits = new Map<string, string>();
    for (const each of wordsOf(text)) {
      const [, currency, sum] =
        /^([A-Z0-9]{3,10})=((?:0|[1-9][0-9]{0,10})(?:[.][0-9]{1,8})?)$/.exec(each) ?? [];
      if (currency === undefined || sum === undefined || limits.has(currency))
        context.addIssue(`not a currency and its amount, such as EUR=10000: ${each}`);
      else limits.set(currency, sum);
    }
    if (limits.size > maxCurrencies) context.addIssue(`more than ${maxCurrencies} currencies`);
    return limits;
  }),
  (limits) => [...limits].map(([currency, sum]) => `${currency}=${sum}`).join(','),
);

export const httpUrl = shape(z.union([z.literal(''), z.url({ protocol: /^https?$/ })]));
/** https, or http to this machine, without a path; empty: null. */
export const publicOrigin = shape(
  z
    .string()
    .regex(
      /^(https:\/\/[a-z0-9.-]+(:[0-9]+)?|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?)?$/,
      'an origin such as https://jackpots.example.com, in lower case and without a path',
    )
    .transform((text) => text || null),
);
/** `name=value` pairs as OpenTelemetry writes them. */
export const pairs = shape(
  z
    .string()
    .max(4096)
    .refine((text) => !/%(?![0-9A-Fa-f]{2})/.test(text), 'is not percent-encoded'),
);
export const serviceName = shape(z.string().max(128));

function shape<Value>(
  type: z.ZodType<Value>,
  write = (value: Value): string => String(value ?? ''),
): SettingShape<Value> {
  return { type, write };
}

function integer(min: number, max?: number) {
  const type = z.coerce.number().int().min(min);
  return max === undefined ? type : type.max(max);
}

function scaled(type: z.ZodType<number>, unit: number): SettingShape<number> {
  return shape(
    type.transform((value) => value * unit),
    (value) => String(value / unit),
  );
}

function isYes(text: string): boolean {
  return text === '1' || text === 'true';
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
