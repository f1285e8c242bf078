import { isBrandPath } from '../../src/contracts/fields/identifiers.ts';
import { walletOperations } from './operations.ts';
import type { WalletOperation, WalletRefusal } from './wallet/operation.ts';
import { refused } from './wallet/refusals.ts';

export interface Route {
  readonly operation: WalletOperation;
  readonly params: Readonly<Record<string, string>>;
  readonly brand: string | null;
}

/** Everything below this and a brand path is the wallet of that brand alone. */
const brandsPrefix = 'brands';

const templates = walletOperations.map((operation) => ({
  operation,
  parts: operation.path.split('/').slice(1),
}));

/** The operation of a method and a path. */
export function route(method: string, path: string): Route | WalletRefusal {
  const decoded = decode(path);
  if (decoded === null) return refused('route_not_found');
  const hasBrand = decoded[0] === brandsPrefix;
  const brand = hasBrand ? (decoded[1] ?? '') : null;
  if (brand !== null && !isBrandPath(brand)) return refused('brand_not_found');
  const parts = hasBrand ? decoded.slice(2) : decoded;
  const atPath = templates.filter((template) => fits(template.parts, parts));
  if (atPath.length === 0) return refused('route_not_found');
  const found = atPath.find(({ operation }) => operation.method === method);
  if (found === undefined) return refused('method_not_allowed');
  return { operation: found.operation, params: paramsOf(found.parts, parts), brand };
}

function decode(path: string): string[] | null {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}

const isParam = (part: string): boolean => part.startsWith('{');

function fits(template: readonly string[], parts: readonly string[]): boolean {
  return (
    template.length === parts.length &&
    template.every((part, index) => (isParam(part) ? parts[index] !== '' : part === parts[index]))
  );
}

function paramsOf(template: readonly string[], parts: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  template.forEach((part, index) => {
    if (isParam(part)) params[part.slice(1, -1)] = parts[index] as string;
  });
  return params;
}
