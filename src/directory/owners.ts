import type { CorsRule } from '../contracts/directory/cors.ts';
import {
  type BrandEntry,
  type DirectoryChange,
  type DirectoryEntry,
  type DirectoryKind,
  isRemoved,
  type RateTableEntry,
  type WebhookSubscription,
} from '../contracts/directory/directory.ts';
import type { DirectoryReference } from '../contracts/directory/directory-keys.ts';
import { brandOf, brandPath, operatorOf } from '../contracts/fields/identifiers.ts';
import { SortedMap } from '../lib/sorted/sorted-map.ts';
import { BrandsByOperator } from './brands-by-operator.ts';

type Entry<K extends DirectoryKind> = Extract<DirectoryEntry, { kind: K }>;
export type OperatorEntry = Entry<'operator'>;
export type TemplateEntry = Entry<'template'>;
export type SourceEntry = Entry<'source'>;
export type SegmentEntry = Entry<'segment'>;
type SourceGroup = Entry<'sourcegroup'>;
type WebhookOrigins = Entry<'webhookorigins'>;
type WebhookSubscriptions = Entry<'webhooksubscriptions'>;
interface FoundSubscription {
  readonly operator: string;
  readonly subscription: WebhookSubscription;
}
/** One origin of an operator, as its list shows it. */
export interface WebhookOrigin {
  readonly operator_id: string;
  readonly origin: string;
}

/** Rules of the system and of enabled operators. */
interface CorsRulesInForce {
  readonly revision: number;
  readonly system: readonly CorsRule[];
  readonly operators: ReadonlyMap<string, readonly CorsRule[]>;
}

/** Ties by id, then by owner. Groups: an operator's own items with its brands', and each brand's. */
const owned = {
  tie: ({ id, owner }: { readonly id: string; readonly owner: string }) => ownedKey(id, owner),
  groups: ({ owner }: { readonly owner: string }) => ownersAbove(owner),
};

/** The directory's entries in memory, in no particular order, each with the revision it was written at. */
export class DirectoryEntries {
  readonly operators = new SortedMap<OperatorEntry, 'id' | 'name' | 'enabled' | 'created_timestamp'>({
    fields: {
      id: (operator) => operator.id,
      name: (operator) => operator.name,
      enabled: (operator) => Number(operator.enabled),
      created_timestamp: (operator) => operator.created_timestamp,
    },
    tie: (operator) => operator.id,
    text: (operator) => operator.name,
  });
  /** By brand path. */
  readonly brands = new SortedMap<BrandEntry, 'brand_id' | 'base_currency'>({
    fields: {
      brand_id: (brand) => brand.path,
      base_currency: (brand) => this.ratesOf(brand.path)?.base_currency ?? '',
    },
    tie: (brand) => brand.path,
    groups: (brand) => ownersAbove(brand.path),
  });
  readonly #brandsByOperator = new BrandsByOperator();
  readonly templates = new SortedMap<TemplateEntry, 'id' | 'name' | 'owner_id' | 'created'>({
    fields: {
      id: (template) => template.id,
      name: (template) => template.name,
      owner_id: (template) => template.owner,
      created: (template) => template.created_timestamp,
    },
    text: (template) => template.name,
    ...owned,
  });
  readonly sources = new SortedMap<SourceEntry, 'source_id' | 'source_name' | 'owner_id'>({
    fields: {
      source_id: (source) => source.id,
      source_name: (source) => source.name,
      owner_id: (source) => source.owner,
    },
    text: (source) => source.name,
    ...owned,
  });
  readonly segments = new SortedMap<SegmentEntry, 'id' | 'name' | 'priority' | 'owner_id'>({
    fields: {
      id: (segment) => segment.id,
      name: (segment) => segment.name ?? '',
      priority: (segment) => segment.priority,
      owner_id: (segment) => segment.owner,
    },
    text: (segment) => segment.name ?? '',
    ...owned,
  });
  /** By operator and source id. */
  readonly sourceGroups = new Map<string, SourceGroup>();
  /** By operator. */
  readonly webhookOrigins = new Map<string, WebhookOrigins>();
  /** By operator. */
  readonly webhookSubscriptions = new Map<string, WebhookSubscriptions>();
  /** By operator and origin. */
  readonly webhookOriginRows = new SortedMap<WebhookOrigin, 'operator_id' | 'origin'>({
    fields: { operator_id: (row) => row.operator_id, origin: (row) => row.origin },
    tie: (row) => ownedKey(row.operator_id, row.origin),
  });
  /** By brand path; the default table under ''. */
  readonly rates = new Map<string, RateTableEntry>();
  /** The rules of the whole system. */
  corsRules: readonly CorsRule[] = [];
  /** By operator. */
  readonly corsRulesOf = new Map<string, readonly CorsRule[]>();
  #corsRevision = 0;
  #corsRulesInForce: CorsRulesInForce | null = null;

  apply(change: DirectoryChange): void {
    if (change.kind === 'removed') this.#write(change.reference, null);
    else this.#write(change.entry, change.entry);
  }

  /** An operator and, for a brand path, the brand, both enabled; null where one does not exist. */
  enabled(owner: string): boolean | null {
    const operator = this.operators.get(operatorOf(owner));
    if (operator === undefined) return null;
    if (operator.id === owner) return operator.enabled;
    const brand = this.brands.get(owner);
    return brand === undefined ? null : operator.enabled && brand.enabled;
  }

  /** The path of a brand given as path, or bare where the operator is known; null where there is none. */
  brandPath(brand: string, callersOperator: string | null): string | null {
    const path = brand.includes(':')
      ? brand
      : callersOperator === null
        ? null
        : brandPath(callersOperator, brand);
    return path !== null && this.brands.has(path) ? path : null;
  }

  /** The group that the source, or its operator's, is in for good; undefined: none yet. */
  sourceGroup(owner: string, source: string): string | undefined {
    const entry = this.sourceGroups.get(ownedKey(operatorOf(owner), source));
    const brand = brandOf(owner);
    const own = entry === undefined || brand === null ? undefined : entry.brands[brand];
    return own ?? (entry === undefined || entry.group === '' ? undefined : entry.group);
  }

  /** The operator's brands in the order of their paths. */
  brandsOf(operator: string): readonly BrandEntry[] {
    return this.#brandsByOperator.of(operator);
  }

  /** The brand's own table, else the default one. */
  ratesOf(brand: string): RateTableEntry | undefined {
    return this.rates.get(brand) ?? this.rates.get('');
  }

  /** Those that count; another object whenever they change. */
  get corsRulesInForce(): CorsRulesInForce {
    this.#corsRulesInForce ??= {
      revision: this.#corsRevision,
      system: this.corsRules,
      operators: new Map([...this.corsRulesOf].filter(([operator]) => this.enabled(operator) === true)),
    };
    return this.#corsRulesInForce;
  }

  /** A subscription and its operator; null: there is none of this id. */
  webhookSubscription(id: string): FoundSubscription | null {
    for (const [operator, { subscriptions }] of this.webhookSubscriptions) {
      const subscription = subscriptions.find((each) => each.id === id);
      if (subscription !== undefined) return { operator, subscription };
    }
    return null;
  }

  #corsChanged(): void {
    this.#corsRevision += 1;
    this.#corsRulesInForce = null;
  }

  #setCorsRules(operator: string | undefined, rules: readonly CorsRule[]): void {
    if (operator === undefined) this.corsRules = rules;
    else if (rules.length === 0) this.corsRulesOf.delete(operator);
    else this.corsRulesOf.set(operator, rules);
    this.#corsChanged();
  }

  /** `entry` is of the kind of `key`; null: it is removed. */
  #write(key: DirectoryReference, entry: DirectoryEntry | null): void {
    switch (key.kind) {
      case 'operator':
        put(this.operators, key.id, entry as OperatorEntry | null);
        if (this.corsRulesOf.has(key.id)) this.#corsChanged();
        return;
      case 'brand':
        put(this.brands, key.path, entry as BrandEntry | null);
        if (entry === null) this.#brandsByOperator.delete(key.path);
        else this.#brandsByOperator.set(entry as BrandEntry);
        return;
      case 'template':
        put(this.templates, ownedKey(key.owner, key.id), entry as TemplateEntry | null);
        return;
      case 'source':
        put(this.sources, ownedKey(key.owner, key.id), entry as SourceEntry | null);
        return;
      case 'segment':
        put(this.segments, ownedKey(key.owner, key.id), entry as SegmentEntry | null);
        return;
      case 'sourcegroup':
        put(this.sourceGroups, ownedKey(key.operator, key.source), entry as SourceGroup | null);
        return;
      case 'webhookorigins':
        this.#setOrigins(key.operator, entry as WebhookOrigins | null);
        return;
      case 'webhooksubscriptions':
        put(this.webhookSubscriptions, key.operator, entry as WebhookSubscriptions | null);
        return;
      case 'cors':
        this.#setCorsRules(key.operator, (entry as Entry<'cors'> | null)?.rules ?? []);
        return;
      case 'rates': {
        const table = entry as RateTableEntry | null;
        this.#setRates(key.brand, table === null || isRemoved(table) ? undefined : table);
        return;
      }
    }
  }

  #setOrigins(operator: string, entry: WebhookOrigins | null): void {
    const present = new Set(entry?.origins);
    for (const origin of this.webhookOrigins.get(operator)?.origins ?? [])
      if (!present.has(origin)) this.webhookOriginRows.delete(ownedKey(operator, origin));
    for (const origin of present)
      this.webhookOriginRows.set(ownedKey(operator, origin), { operator_id: operator, origin });
    put(this.webhookOrigins, operator, entry);
  }

  /** undefined: the table is removed. */
  #setRates(brand: string, table: RateTableEntry | undefined): void {
    const before = this.rates.get(brand)?.base_currency;
    if (table === undefined) this.rates.delete(brand);
    else this.rates.set(brand, table);
    if (table?.base_currency === before) return;
    // The default table is that of every brand without one.
    if (brand === '') this.brands.reorder('base_currency');
    else this.brands.changed(brand);
  }
}

function put<T>(
  map: { set(key: string, value: T): unknown; delete(key: string): unknown },
  key: string,
  value: T | null,
): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

/** Owners have no space in them, so the pair reads back unambiguously. */
export function ownedKey(owner: string, id: string): string {
  return `${owner} ${id}`;
}

/** An operator; of a brand also its path: the groups of lists in which an owner's objects are. */
export function ownersAbove(owner: string): readonly string[] {
  const operator = operatorOf(owner);
  return operator === owner ? [owner] : [operator, owner];
}
