import { RE2JS, RE2Set } from 're2js';
import { isAmbiguous } from './expressions/ambiguous.ts';

/** A rule that allows pages of some origins (docs/rules/http.md "Cross-origin requests"). */
export interface OriginRule {
  readonly pattern: string;
  readonly match_mode: 'exact' | 'subdomain' | 'regex';
}

const maxPatternLength = 256;
/** Instructions of a compiled pattern, and of all patterns together: they bound what one match costs. */
const maxPatternSize = 500;
const maxTotalSize = 10_000;
const maxAutomatonBytes = 4 * 1024 * 1024;
/** Scheme, the longest DNS name, port. */
const maxOriginLength = 300;
const maxDecisions = 1_000;
const maxKnownSizes = 1_000;

/** Origins as browsers write them. `null`, the origin of sandboxes and files, is none. */
const originForm = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._:[\]-]+$/;
const webOrigin = /^(https?:\/\/)(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d+)?$/;
const numericHost = /^\[|(?:^|\.)\d+$/;

/**
 * The pattern of a rule in canonical form: `https://host[:port]` in lower case without a default port, for `subdomain`
 * also `https://*.host[:port]`. A regular expression stays as it is; one that is ambiguous cannot be stored, because
 * engines that other parts of an operator's site use may never come back from it (docs/decisions/0370). null: no such
 * rule can be stored.
 */
export function canonicalPattern(pattern: string, mode: OriginRule['match_mode']): string | null {
  if (pattern.length > maxPatternLength) return null;
  if (mode === 'regex') return regexSize(pattern) <= maxPatternSize && !isAmbiguous(pattern) ? pattern : null;
  if (mode === 'exact') return canonicalOrigin(pattern);
  const [, scheme = '', star = '', rest = ''] = /^(https?:\/\/)(\*\.)?(.*)$/is.exec(pattern) ?? [];
  const base = canonicalOrigin(scheme + rest);
  if (base === null || !hasSubdomains(base)) return null;
  return base.replace('://', `://${star}`);
}

/** Whether all regular expressions together stay within what one match may cost. */
export function fitTogether(rules: readonly OriginRule[]): boolean {
  let size = 0;
  for (const { pattern, match_mode } of rules) {
    if (match_mode === 'regex') size += regexSize(pattern);
    if (size > maxTotalSize) return false;
  }
  return true;
}

/** Which origins the rules allow. It follows `rules`: another list counts from the next question on. */
export class AllowedOrigins {
  readonly #rules: () => readonly OriginRule[];
  #compiledFrom: readonly OriginRule[] | null = null;
  #matches: (origin: string) => boolean = () => false;
  /** The latest origins that were asked for. */
  readonly #decisions = new Map<string, boolean>();

  constructor(rules: () => readonly OriginRule[]) {
    this.#rules = rules;
  }

  allows(origin: string): boolean {
    const rules = this.#rules();
    if (rules !== this.#compiledFrom) {
      this.#compiledFrom = rules;
      this.#matches = matcherOf(rules);
      this.#decisions.clear();
    }
    if (rules.length === 0 || origin.length > maxOriginLength || !originForm.test(origin)) return false;
    const known = this.#decisions.get(origin);
    const allowed = known ?? this.#matches(origin);
    this.#decisions.delete(origin);
    if (this.#decisions.size >= maxDecisions)
      this.#decisions.delete(this.#decisions.keys().next().value as string);
    this.#decisions.set(origin, allowed);
    return allowed;
  }
}

function matcherOf(rules: readonly OriginRule[]): (origin: string) => boolean {
  const exact = new Set<string>();
  const subdomains = new Set<string>();
  const expressions: string[] = [];
  for (const { pattern, match_mode } of rules) {
    if (match_mode === 'regex') expressions.push(pattern);
    else if (match_mode === 'exact') exact.add(pattern);
    else {
      subdomains.add(pattern.replace('://*.', '://'));
      if (!pattern.includes('://*.')) exact.add(pattern);
    }
  }
  const automaton = automatonOf(expressions);
  return (origin) =>
    exact.has(origin) || isSubdomain(origin, subdomains) || (automaton?.match(origin).length ?? 0) > 0;
}

/** One automaton for all patterns: its memory is bounded, whatever the patterns and origins are. */
function automatonOf(expressions: readonly string[]): RE2Set | null {
  if (expressions.length === 0) return null;
  const automaton = new RE2Set(RE2Set.ANCHOR_BOTH, 0, maxAutomatonBytes);
  for (const expression of expressions) {
    // One that another version has stored and this one cannot read allows nothing.
    if (regexSize(expression) <= maxPatternSize) automaton.add(expression);
  }
  automaton.compile();
  return automaton;
}

/** Whole labels are compared: `https://a.b.example` lies below `https://b.example`. */
function isSubdomain(origin: string, bases: ReadonlySet<string>): boolean {
  if (bases.size === 0) return false;
  const [, scheme, host, port = ''] = webOrigin.exec(origin) ?? [];
  if (scheme === undefined || host === undefined) return false;
  for (let dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.', dot + 1))
    if (bases.has(`${scheme}${host.slice(dot + 1)}${port}`)) return true;
  return false;
}

/** Of the patterns that were asked for last: compiling is what costs. */
const sizes = new Map<string, number>();

/** Instructions of the compiled expression; Infinity: it does not compile, or repeats too much to be worth a try. */
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

/** Not an address, and no single label: all sites of a top-level domain are nobody's. Only `localhost` may be alone. */
function hasSubdomains(origin: string): boolean {
  const host = webOrigin.exec(origin)?.[2] ?? '';
  if (numericHost.test(host)) return false;
  return host === 'localhost' || host.replace(/\.$/, '').includes('.');
}
