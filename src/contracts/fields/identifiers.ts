/** Identifiers (docs/rules/http.md "Identifiers"): ours, theirs, and the paths that owners are named by. */

const ownIdentifier = /^[A-Za-z0-9_-]{1,64}$/;
/** No control, format, private-use, surrogate or unassigned characters, no line and paragraph separators. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;
const foreignLength = 128;

/** Operators, brands, templates, instances, pots. */
export function isOwnId(id: string): boolean {
  return ownIdentifier.test(id);
}

/** Players, game rounds, sources, providers, segments: 1 to 128 printable characters. */
export function isForeignId(id: string): boolean {
  if (id.length === 0 || id.length > foreignLength * 2) return false;
  return [...id].length <= foreignLength && !unprintable.test(id);
}

/** `operator:brand`. */
export function isBrandPath(path: string): boolean {
  return path.includes(':') && isOwnerPath(path);
}

/** An operator's id or a brand path. */
export function isOwnerPath(path: string): boolean {
  const parts = path.split(':');
  return parts.length <= 2 && parts.every(isOwnId);
}

/** `operator:brand`. */
export function brandPath(operator: string, brand: string): string {
  return `${operator}:${brand}`;
}

/** The operator of an owner path: `demo` of `demo` and of `demo:main`. */
export function operatorOf(owner: string): string {
  const colon = owner.indexOf(':');
  return colon < 0 ? owner : owner.slice(0, colon);
}

/** The brand's own id of a brand path, null for an operator. */
export function brandOf(owner: string): string | null {
  const colon = owner.indexOf(':');
  return colon < 0 ? null : owner.slice(colon + 1);
}

/** Whether `owner` is `scope` itself or a brand of it. */
export function isWithin(owner: string, scope: string): boolean {
  return owner === scope || owner.startsWith(`${scope}:`);
}
