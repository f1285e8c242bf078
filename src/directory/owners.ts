import type { CorsRule } from '../contracts/cors.ts';
import type { DirectoryChange, DirectoryEntry, DirectoryKind } from '../contracts/directory.ts';
import type { DirectoryReference } from '../contracts/directory-keys.ts';
import { brandOf, brandPath, operatorOf } from '../contracts/identifiers.ts';
import { SortedMap } from '../lib/sorted-map.ts';

type Entry<K extends DirectoryKind> = Extract<DirectoryEntry, { kind: K }>;
export type Operator = Entry<'operator'>;
export type Brand = Entry<'brand'>;
export type Template = Entry<'template'>;
export type Source = Entry<'source'>;
export type Segment = Entry<'segment'>;
export type SourceGroup = Entry<'sourcegroup'>;
export type WebhookOrigins = Entry<'webhookorigins'>;
export type RateTable = Entry<'rates'>;

/** Items of the same value by id, then by owner; an operator's own and its brands' are one group. */
const owned = {
  tie: ({ id, owner }: { readonly id: string; readonly owner: string }) => ownedKey(id, owner),
  group: ({ owner }: { readonly owner: string }) => operatorOf(owner),
};

/** The directory's entries in memory, in no particular order, each with the revision it was written at. */
export class DirectoryEntries {
  readonly operators = new Map<string, Operator>();
  /** By brand path. */
  readonly brands = new Map<string, Brand>();
  readonly templates = new SortedMap<Template, 'id' | 'name' | 'owner_id' | 'created'>({
    fields: {
      id: (template) => template.id,
      name: (template) => template.name,
      owner_id: (template) => template.owner,
      created: (template) => template.created_timestamp,
    },
    ...owned,
  });
  readonly sources = new SortedMap<Source, 'source_id' | 'source_name' | 'owner_id'>({
    fields: {
      source_id: (source) => source.id,
      source_name: (source) => source.name,
      owner_id: (source) => source.owner,
    },
    ...owned,
  });
  readonly segments = new SortedMap<Segment, 'id' | 'name' | 'priority' | 'owner_id'>({
    fields: {
      id: (segment) => segment.id,
      name: (segment) => segment.name ?? '',
      priority: (segment) => segment.priority,
      owner_id: (segment) => segment.owner,
    },
    ...owned,
  });
  /** By operator and source id. */
  readonly sourceGroups = new Map<string, SourceGroup>();
  /** By operator. */
  readonly webhookOrigins = new Map<string, WebhookOrigins>();
  /** By brand path; the default table under ''. */
  readonly rates = new Map<string, RateTable>();
  /** Another list whenever they change. */
  corsRules: readonly CorsRule[] = [];

  apply(change: DirectoryChange): void {
    if (change.kind === 'removed') this.#remove(change.reference);
    else this.#set(change.entry);
  }

  /** An operator and, for a brand path, the brand, both enabled; null where one does not exist. */
  enabled(owner: string): boolean | null {
    const operator = this.operators.get(operatorOf(owner));
    if (operator === undefined) return null;
    if (operator.id === owner) return operator.enabled;
    const brand = this.brands.get(owner);
    return brand === undefined ? null : operator.enabled && brand.enabled;
  }

  /** The path of a brand given as path, or bare where the caller's operator is known; null where there is none. */
  brandPath(brand: string, callersOperator: string | null): string | null {
    const path = brand.includes(':')
      ? brand
      : callersOperator === null
        ? null
        : brandPath(callersOperator, brand);
    return path !== null && this.brands.has(path) ? path : null;
  }

  /** The group that the source is in for good, of its own or its operator's; undefined: it has been in none yet. */
  sourceGroup(owner: string, source: string): string | undefined {
    const entry = this.sourceGroups.get(ownedKey(operatorOf(owner), source));
    const brand = brandOf(owner);
    const own = entry === undefined || brand === null ? undefined : entry.brands[brand];
    return own ?? (entry === undefined || entry.group === '' ? undefined : entry.group);
  }

  brandsOf(operator: string): Brand[] {
    return [...this.brands.values()]
      .filter((brand) => operatorOf(brand.path) === operator)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #set(entry: DirectoryEntry): void {
    switch (entry.kind) {
      case 'operator':
        this.operators.set(entry.id, entry);
        return;
      case 'brand':
        this.brands.set(entry.path, entry);
        return;
      case 'template':
        this.templates.set(ownedKey(entry.owner, entry.id), entry);
        return;
      case 'source':
        this.sources.set(ownedKey(entry.owner, entry.id), entry);
        return;
      case 'segment':
        this.segments.set(ownedKey(entry.owner, entry.id), entry);
        return;
      case 'sourcegroup':
        this.sourceGroups.set(ownedKey(entry.operator, entry.source), entry);
        return;
      case 'webhookorigins':
        this.webhookOrigins.set(entry.operator, entry);
        return;
      case 'cors':
        this.corsRules = entry.rules;
        return;
      case 'rates':
        this.rates.set(entry.brand, entry);
        return;
    }
  }

  #remove(reference: DirectoryReference): void {
    switch (reference.kind) {
      case 'operator':
        this.operators.delete(reference.id);
        return;
      case 'brand':
        this.brands.delete(reference.path);
        return;
      case 'template':
        this.templates.delete(ownedKey(reference.owner, reference.id));
        return;
      case 'source':
        this.sources.delete(ownedKey(reference.owner, reference.id));
        return;
      case 'segment':
        this.segments.delete(ownedKey(reference.owner, reference.id));
        return;
      case 'sourcegroup':
        this.sourceGroups.delete(ownedKey(reference.operator, reference.source));
        return;
      case 'webhookorigins':
        this.webhookOrigins.delete(reference.operator);
        return;
      case 'cors':
        this.corsRules = [];
        return;
      case 'rates':
        this.rates.delete(reference.brand);
        return;
    }
  }
}

/** Owners have no space in them, so the pair reads back unambiguously. */
export function ownedKey(owner: string, id: string): string {
  return `${owner} ${id}`;
}
