import { RE2JS } from 're2js';

/** A rule that allows pages of some origins (docs/rules/http.md "Cross-origin requests"). */
export interface OriginRule {
  readonly pattern: string;
  readonly match_mode: 'exact' | 'subdomain' | 'regex';
}

const maxPatternLength = 256;
/** Instructions of a compiled pattern, and of all of an owner: they bound what a match costs. */
const maxPatternSize = 500;
const maxTotalSizes = { system: 10_000, operator: 500 } as const;
/** Scheme, the longest DNS name, port. */
const maxOriginLength = 300;
const maxKnownSizes = 1_000;

/** Origins as browsers write them. `null`, the origin of sandboxes and files, is none. */
const originForm = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._:[\]-]+$/;
const webOrigin = /^(https?:\/\/)(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d+)?$/;
const numericHost = /^\[|(?:^|\.)\d+$/;

/**
 * The pattern of a rule in canonical form: `https://host[:port]` in lower case without a default port, for
 * `subdomain` also `https://*.host[:port]`; a regular expression stays as it is. null: no such rule can be
 * stored.
 */
export function canonicalPattern(pattern: string, mode: OriginRule['match_mode']): string | null {
  if (pattern.length > maxPatternLength) return null;
  if (mode === 'regex') return regexSize(pattern) <= maxPatternSize ? pattern : null;
  if (mode === 'exact') return canonicalOrigin(pattern);
  const [, scheme = '', star = '', rest = ''] = /^(https?:\/\/)(\*\.)?(.*)$/is.exec(pattern) ?? [];
  const base = canonicalOrigin(scheme + rest);
  if (base === null || !hasSubdomains(base)) return null;
  return base.replace('://', `://${star}`);
}

/** Whether all regular expressions of the owner together stay within what one match may cost. */
export function fitTogether(rules: readonly OriginRule[], of: keyof typeof maxTotalSizes): boolean {
  let size = 0;
  for (const { pattern, match_mode } of rules) {
    if (match_mode === 'regex') size += regexSize(pattern);
    if (size > maxTotalSizes[of]) return false;
  }
  return true;
}

/** Sizes of the latest patterns: compiling is what costs. */
const sizes = new Map<string, number>();

/** Whether the text can be the origin of a page. */
export function isOrigin(text: string): boolean {
  return text.length <= maxOriginLength && originForm.test(text);
}

/** The scheme, the host and the port of a page of the web; null: its origin has none. */
export function webPartsOf(
  origin: string,
): { readonly scheme: string; readonly host: string; readonly port: string } | null {
  const [, scheme, host, port = ''] = webOrigin.exec(origin) ?? [];
  return scheme === undefined || host === undefined ? null : { scheme, host, port };
}

/** Whether an expression can be matched; one that another version has stored may not. */
export function isMatchable(expression: string): boolean {
  return regexSize(expression) <= maxPatternSize;
}

/** Instructions of the compiled expression; Infinity: it does not compile, or repeats too much. */
function regexSize(pattern: string): number {
  const known = sizes.get(pattern);
  if (known !== undefined) return known;
  const size = compiledSize(pattern);
  if (sizes.size >= maxKnownSizes) sizes.delete(sizes.keys().next().value as string);
  sizes.set(pattern, size);
  return size;
}

function compiledSize(pattern: string): number {
  const repeats = [...pattern.matchAll(/\{(\d{1,4})(?:,(\d{1,4})?)?\}/g)];
  const repeated = repeats.reduce((sum, [, from, to]) => sum + Number(to ?? from), 0);
  if (pattern === '' || repeated > maxPatternSize) return Number.POSITIVE_INFINITY;
  try {
    return RE2JS.compile(pattern).programSize();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function canonicalOrigin(text: string): string | null {
  // The URL parser repairs white space, backslashes and missing parts: refuse them instead.
  if (!/^https?:\/\/[^\s\\/?#@*]+$/i.test(text) || !URL.canParse(text)) return null;
  const { origin } = new URL(text);
  return origin.length <= maxOriginLength && webOrigin.test(origin) ? origin : null;
}

/** Neither an address nor a top-level domain. Of single labels only `localhost` is good. */
function hasSubdomains(origin: string): boolean {
  const host = webOrigin.exec(origin)?.[2] ?? '';
  if (numericHost.test(host)) return false;
  return host === 'localhost' || host.replace(/\.$/, '').includes('.');
}
