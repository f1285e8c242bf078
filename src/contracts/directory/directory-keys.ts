import { brandOf, operatorOf } from '../fields/identifiers.ts';

/**
 * Keys of KV DIRECTORY. Our ids stand as they are, foreign ids (sources, segments) as base64url of their
 * UTF-8 bytes. An owner is one part for an operator and two for a brand, which tells the two apart.
 */
export const directoryKey = {
  operator: (id: string) => `operator.${id}`,
  brand: (path: string) => `brand.${ownerParts(path)}`,
  template: (owner: string, id: string) => `template.${ownerParts(owner)}.${id}`,
  source: (owner: string, id: string) => `source.${ownerParts(owner)}.${encodeForeignId(id)}`,
  segment: (owner: string, id: string) => `segment.${ownerParts(owner)}.${encodeForeignId(id)}`,
  /** The groups that a source id belongs to within an operator. */
  sourceGroup: (operator: string, id: string) => `sourcegroup.${operator}.${encodeForeignId(id)}`,
  /** The origins that an operator's webhooks may go to. */
  webhookOrigins: (operator: string) => `webhookorigins.${operator}`,
  /** The addresses that an operator has subscribed to events. */
  webhookSubscriptions: (operator: string) => `webhooksubscriptions.${operator}`,
  /** The cross-origin rules of an operator, or of the whole system. */
  corsRules: (operator?: string) => (operator === undefined ? 'cors.rules' : `cors.operator.${operator}`),
  /** The system's default table where `brand` is empty. */
  rates: (brand: string) => (brand === '' ? 'rates.default' : `rates.${ownerParts(brand)}`),
} as const;

export type DirectoryReference =
  | { readonly kind: 'operator'; readonly id: string }
  | { readonly kind: 'brand'; readonly path: string }
  | { readonly kind: 'template' | 'source' | 'segment'; readonly owner: string; readonly id: string }
  | { readonly kind: 'sourcegroup'; readonly operator: string; readonly source: string }
  | { readonly kind: 'webhookorigins'; readonly operator: string }
  | { readonly kind: 'webhooksubscriptions'; readonly operator: string }
  /** Without an operator those of the whole system. */
  | { readonly kind: 'cors'; readonly operator?: string }
  /** `brand` is empty for the default table. */
  | { readonly kind: 'rates'; readonly brand: string };

/** The kind of what a key names, without a look at the rest of it. */
export function kindOfKey(key: string): string {
  const end = key.indexOf('.');
  return end < 0 ? key : key.slice(0, end);
}

/** What a key names; null for a key of a kind that this version does not know. */
export function parseDirectoryKey(key: string): DirectoryReference | null {
  const [kind, ...parts] = key.split('.');
  const [first, second, third] = parts;
  if (first === undefined || parts.length > 3) return null;
  if (kind === 'operator') return parts.length === 1 ? { kind, id: first } : null;
  if (kind === 'webhookorigins') return parts.length === 1 ? { kind, operator: first } : null;
  if (kind === 'webhooksubscriptions') return parts.length === 1 ? { kind, operator: first } : null;
  if (kind === 'cors' && parts.length === 1) return first === 'rules' ? { kind } : null;
  if (kind === 'rates' && parts.length === 1) return first === 'default' ? { kind, brand: '' } : null;
  if (second === undefined) return null;
  if (kind === 'sourcegroup')
    return parts.length === 2 ? { kind, operator: first, source: decodeForeignId(second) } : null;
  if (kind === 'cors') return parts.length === 2 && first === 'operator' ? { kind, operator: second } : null;
  if (kind === 'brand') return parts.length === 2 ? { kind, path: `${first}:${second}` } : null;
  if (kind === 'rates') return parts.length === 2 ? { kind, brand: `${first}:${second}` } : null;
  const owner = third === undefined ? first : `${first}:${second}`;
  const last = third ?? second;
  if (kind === 'template') return { kind, owner, id: last };
  if (kind === 'source' || kind === 'segment') return { kind, owner, id: decodeForeignId(last) };
  return null;
}

/** A foreign id as a part of a key. */
export function encodeForeignId(id: string): string {
  return Buffer.from(id, 'utf8').toString('base64url');
}

/** The id that a part of a key stands for. */
function decodeForeignId(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString('utf8');
}

function ownerParts(owner: string): string {
  const brand = brandOf(owner);
  return brand === null ? owner : `${operatorOf(owner)}.${brand}`;
}
