import * as z from 'zod';
import { secret } from '../fields/secrets.ts';
import { matchModes } from './cors.ts';
import { type DirectoryReference, parseDirectoryKey } from './directory-keys.ts';

/** To whom an operator shows the accounts and the draws of its instances (docs/rules/http.md "Fairness"). */
export const fairnessChoices = ['public', 'signed_in'] as const;

/**
 * Values of KV DIRECTORY, the truth for operators, brands, templates, sources, segments and rates: JSON
 * with `v` 1. Later fields are added as optional ones with a default, so that entries of older versions stay
 * readable.
 */
const operatorEntry = z.object({
  v: z.literal(1),
  name: z.string(),
  enabled: z.boolean(),
  created_timestamp: z.int(),
  /** Winners of instances that it shares with brands of others (docs/rules/http.md "Winners"). */
  public_winners: z.boolean().optional(),
  /** Whether public feeds of others' brands may show these instances (docs/rules/feeds.md "Public feed"). */
  public_feed: z.boolean().optional(),
  /** Who may read accounts and draws of its instances; absent: everybody (docs/rules/http.md "Fairness"). */
  fairness: z.enum(fairnessChoices).optional(),
  four_eyes: z.object({ enabled: z.boolean(), limit: z.string().nullable() }).optional(),
  /** What its services may send to one gateway process; null: as much as they like. */
  quota: z
    .object({ contributions_per_second: z.int().nullable(), bytes_per_second: z.int().nullable() })
    .optional(),
});

const brandEntry = z.object({
  v: z.literal(1),
  name: z.string(),
  enabled: z.boolean(),
  created_timestamp: z.int(),
  /** 32 random bytes in base64url: the key of the players' pseudonyms (docs/rules/draws.md "Pseudonyms"). */
  salt: secret(z.string()),
  wallet: z.boolean().default(false),
  /** W3's provider_id. */
  provider: z.string().default(''),
  /** A zero Credit closes a round without a win. */
  close_rounds: z.boolean().default(false),
  /** Debits of its players share W4s. */
  batch_debits: z.boolean().default(false),
  /** Wins above it wait for a person: decimal string, in `verification_currency`; null: none do. */
  verification_limit: z.string().nullable().default(null),
  verification_currency: z.string().default(''),
  /** Whether everybody may read its winners, masked. */
  public_winners: z.boolean().optional(),
  /** Whether everybody may follow its jackpots. */
  public_feed: z.boolean().optional(),
});

const templateEntry = z.object({
  v: z.literal(1),
  name: z.string(),
  description: z.string(),
  created_timestamp: z.int(),
  /** Counts its changes; those of the releases before were never changed. */
  version: z.int().default(1),
  /** No instance is made from it any more. */
  retired: z.boolean().default(false),
  /** Normal form of the configuration fields of a template (docs/rules/http.md "Templates and instances"). */
  configuration: z.record(z.string(), z.unknown()),
});

const sourceEntry = z.object({ v: z.literal(1), name: z.string(), created_timestamp: z.int() });

const segmentEntry = z.object({
  v: z.literal(1),
  name: z.string().nullable(),
  priority: z.int(),
  created_timestamp: z.int(),
  /** The group of the instances that it leads to, from the first one on; empty: it has led to none yet. */
  group: z.string().default(''),
});

/** A group that is set stays: contributions by the source go to its lane (docs/decisions/0041). */
const sourceGroupEntry = z.object({
  v: z.literal(1),
  /** The group of the operator's own source; empty: none yet. */
  group: z.string(),
  /** Groups of brands' sources, by the brand's own id. */
  brands: z.record(z.string(), z.string()),
});

const webhookOriginsEntry = z.object({ v: z.literal(1), origins: z.array(z.string()) });

/** The subscriptions of one operator. */
const webhookSubscriptionsEntry = z.object({
  v: z.literal(1),
  subscriptions: z.array(
    z.object({
      id: z.string(),
      /** Brand paths; null: all brands. */
      brands: z.array(z.string()).nullable(),
      url: z.string(),
      /** `subscribableEvents`; those of a later version do not count here. */
      event_types: z.array(z.string()),
      created_timestamp: z.int(),
    }),
  ),
});

const corsEntry = z.object({
  v: z.literal(1),
  rules: z.array(z.object({ pattern: z.string(), match_mode: z.enum(matchModes) })),
});

const ratesEntry = z.object({
  v: z.literal(1),
  base_currency: z.string(),
  /** Currency → units per one unit of the base currency, as a decimal string. */
  multipliers: textByCurrency(),
  /** Minor-unit exponents of the currencies outside ISO 4217. */
  exponents: z.custom<Record<string, number>>(isRecordOf(Number.isSafeInteger)).default({}),
  updated: z.int(),
  /** What a jump is measured by: a day's first multipliers, or those that two administrators set. */
  reference: z.object({ multipliers: textByCurrency(), since: z.int() }).optional(),
});

const entrySchemas = {
  operator: operatorEntry,
  brand: brandEntry,
  template: templateEntry,
  source: sourceEntry,
  segment: segmentEntry,
  sourcegroup: sourceGroupEntry,
  webhookorigins: webhookOriginsEntry,
  webhooksubscriptions: webhookSubscriptionsEntry,
  cors: corsEntry,
  rates: ratesEntry,
} as const;

export type DirectoryKind = keyof typeof entrySchemas;
/** The shapes of stored entries by their kind. */
export const directoryShapes: Readonly<Record<DirectoryKind, z.ZodType>> = entrySchemas;
type Value<K extends DirectoryKind> = Omit<z.output<(typeof entrySchemas)[K]>, 'v'>;

export type OperatorValue = Value<'operator'>;
export type OperatorQuota = NonNullable<OperatorValue['quota']>;
export type BrandValue = Value<'brand'>;
type TemplateValue = Value<'template'>;
type SourceValue = Value<'source'>;
type SegmentValue = Value<'segment'>;
type SourceGroupValue = Value<'sourcegroup'>;
type WebhookOriginsValue = Value<'webhookorigins'>;
type WebhookSubscriptionsValue = Value<'webhooksubscriptions'>;
export type WebhookSubscription = WebhookSubscriptionsValue['subscriptions'][number];
type CorsValue = Value<'cors'>;
export type RatesValue = Value<'rates'>;

/** One entry with what its key says. */
export type DirectoryEntry =
  | (OperatorValue & { readonly kind: 'operator'; readonly id: string })
  | (BrandValue & { readonly kind: 'brand'; readonly path: string })
  | (TemplateValue & { readonly kind: 'template'; readonly owner: string; readonly id: string })
  | (SourceValue & { readonly kind: 'source'; readonly owner: string; readonly id: string })
  | (SegmentValue & { readonly kind: 'segment'; readonly owner: string; readonly id: string })
  | (SourceGroupValue & { readonly kind: 'sourcegroup'; readonly operator: string; readonly source: string })
  | (WebhookOriginsValue & { readonly kind: 'webhookorigins'; readonly operator: string })
  | (WebhookSubscriptionsValue & { readonly kind: 'webhooksubscriptions'; readonly operator: string })
  | (CorsValue & { readonly kind: 'cors'; readonly operator?: string })
  | (RatesValue & {
      readonly kind: 'rates';
      /** Empty for the default table. */
      readonly brand: string;
      /** The entry's revision, which rises over the whole bucket: no two tables of the system share one. */
      readonly version: number;
    });

export type RateTableEntry = Extract<DirectoryEntry, { kind: 'rates' }>;
export type BrandEntry = Extract<DirectoryEntry, { kind: 'brand' }>;

/** One change of the directory, in the order of its revisions. */
export type DirectoryChange =
  | { readonly kind: 'set'; readonly entry: DirectoryEntry }
  | { readonly kind: 'removed'; readonly reference: DirectoryReference };

/** Reads a change of KV DIRECTORY (`value` null: removed); null: a kind of a later version. */
export function readDirectoryChange(
  key: string,
  value: Uint8Array | null,
  revision: number,
): DirectoryChange | null {
  const reference = parseDirectoryKey(key);
  if (reference === null) return null;
  if (value === null) return { kind: 'removed', reference };
  return { kind: 'set', entry: decodeDirectoryEntry(reference, value, revision) };
}

/** The bytes of an entry. @throws ZodError where the value does not have the shape of its kind */
export function encodeDirectoryValue<K extends DirectoryKind>(
  kind: K,
  value: z.input<(typeof entrySchemas)[K]> extends infer T ? Omit<T, 'v'> : never,
): Uint8Array {
  return Buffer.from(JSON.stringify(entrySchemas[kind].parse({ ...value, v: 1 })), 'utf8');
}

/** The 32 secret bytes of a brand, for SetBrand. */
export function brandSalt(brand: BrandValue): Uint8Array {
  return Buffer.from(brand.salt, 'base64url');
}

/** A brand's own table was removed: the default one is in force again. */
export function isRemoved({ multipliers }: Pick<RatesValue, 'multipliers'>): boolean {
  return Object.keys(multipliers).length === 0;
}

/** The members of a SetRates command, sorted by currency (messages/lane-commands.ts). */
export function rateMultipliers(
  rates: RatesValue,
): (readonly [currency: string, multiplier: string, exponent: number | null])[] {
  return Object.keys(rates.multipliers)
    .sort()
    .map((currency) => [currency, rates.multipliers[currency] ?? '0', rates.exponents[currency] ?? null]);
}

function decodeDirectoryEntry(
  reference: DirectoryReference,
  bytes: Uint8Array,
  revision: number,
): DirectoryEntry {
  const text = Buffer.from(bytes).toString('utf8');
  const json: unknown = JSON.parse(text);
  switch (reference.kind) {
    case 'operator':
      return { ...reference, ...withoutVersion(operatorEntry.parse(json)) };
    case 'brand':
      return { ...reference, ...withoutVersion(brandEntry.parse(json)) };
    case 'template':
      return { ...reference, kind: 'template', ...withoutVersion(templateEntry.parse(json)) };
    case 'source':
      return { ...reference, kind: 'source', ...withoutVersion(sourceEntry.parse(json)) };
    case 'segment':
      return { ...reference, kind: 'segment', ...withoutVersion(segmentEntry.parse(json)) };
    case 'sourcegroup':
      return { ...reference, ...withoutVersion(sourceGroupEntry.parse(json)) };
    case 'webhookorigins':
      return { ...reference, ...withoutVersion(webhookOriginsEntry.parse(json)) };
    case 'webhooksubscriptions':
      return { ...reference, ...withoutVersion(webhookSubscriptionsEntry.parse(json)) };
    case 'cors':
      return { ...reference, ...withoutVersion(corsEntry.parse(json)) };
    case 'rates':
      return new StoredRates(reference.brand, ratesEntry.parse(json), revision, text);
  }
}

/**
 * A stored rate table. It keeps its text, and its thousand members only once they are asked for: each
 * process has the tables of all brands, and waits while its collector copies what they consist of
 * (docs/decisions/0065).
 */
class StoredRates implements RatesValue {
  readonly kind = 'rates';
  readonly brand: string;
  readonly version: number;
  readonly base_currency: string;
  readonly updated: number;
  readonly #text: string;
  #members: Pick<RatesValue, 'multipliers' | 'exponents' | 'reference'> | null = null;

  constructor(brand: string, { base_currency, updated }: RatesValue, version: number, text: string) {
    this.brand = brand;
    this.version = version;
    this.base_currency = base_currency;
    this.updated = updated;
    this.#text = text;
  }

  get multipliers(): RatesValue['multipliers'] {
    return this.#read().multipliers;
  }

  get exponents(): RatesValue['exponents'] {
    return this.#read().exponents;
  }

  get reference(): RatesValue['reference'] {
    return this.#read().reference;
  }

  #read() {
    if (this.#members === null) {
      // They were checked when they came.
      const { multipliers, exponents = {}, reference } = JSON.parse(this.#text) as z.input<typeof ratesEntry>;
      this.#members = { multipliers, exponents, reference };
    }
    return this.#members;
  }
}

function textByCurrency() {
  return z.custom<Record<string, string>>(isRecordOf((member) => typeof member === 'string'));
}

/** A thousand members are checked in one loop: zod's records take milliseconds for them, in every process. */
function isRecordOf(isMember: (member: unknown) => boolean): (value: unknown) => boolean {
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isMember);
}

function withoutVersion<T extends { v: 1 }>(value: T): Omit<T, 'v'> {
  const { v: _, ...rest } = value;
  return rest;
}
