import { RE2Set } from 're2js';
import { isMatchable, type OriginRule, webPartsOf } from './origin-rules.ts';

/** What the expressions of one list may cost. */
interface OriginListLimits {
  readonly automatonBytes: number;
  /** Origins that they are asked about in a second, once these are not among the latest ones. */
  readonly newPerSecond: number;
  /** The latest that were allowed, and as many that were not: a flood of one kind leaves the other. */
  readonly decisions: number;
}

/** The rules of one owner, compiled when they are first asked for. */
export class OriginList {
  readonly rules: readonly OriginRule[];
  readonly #nowMs: () => number;
  readonly #limits: OriginListLimits;
  readonly #exact = new Set<string>();
  readonly #subdomains = new Set<string>();
  readonly #expressions: string[] = [];
  #automaton: RE2Set | null = null;
  readonly #allowed = new Set<string>();
  readonly #refused = new Set<string>();
  #second = 0;
  #asked = 0;

  constructor(rules: readonly OriginRule[], nowMs: () => number, limits: OriginListLimits) {
    this.rules = rules;
    this.#nowMs = nowMs;
    this.#limits = limits;
    for (const { pattern, match_mode } of rules) {
      if (match_mode === 'regex') this.#expressions.push(pattern);
      else if (match_mode === 'exact') this.#exact.add(pattern);
      else {
        this.#subdomains.add(pattern.replace('://*.', '://'));
        if (!pattern.includes('://*.')) this.#exact.add(pattern);
      }
    }
  }

  /** null: its expressions are asked about too many new origins now. */
  allows(origin: string): boolean | null {
    if (this.#exact.has(origin) || isSubdomain(origin, this.#subdomains)) return true;
    if (this.#expressions.length === 0) return false;
    if (isLatest(this.#allowed, origin)) return true;
    if (isLatest(this.#refused, origin)) return false;
    if (!this.#mayMatch()) return null;
    this.#automaton ??= automatonOf(this.#expressions, this.#limits.automatonBytes);
    const isAllowed = this.#automaton.match(origin).length > 0;
    keep(isAllowed ? this.#allowed : this.#refused, origin, this.#limits.decisions);
    return isAllowed;
  }

  #mayMatch(): boolean {
    const second = Math.floor(this.#nowMs() / 1000);
    if (second !== this.#second) this.#asked = 0;
    this.#second = second;
    this.#asked += 1;
    return this.#asked <= this.#limits.newPerSecond;
  }
}

/** One automaton for all patterns: its memory is bounded, whatever the patterns and origins are. */
function automatonOf(expressions: readonly string[], bytes: number): RE2Set {
  const automaton = new RE2Set(RE2Set.ANCHOR_BOTH, 0, bytes);
  for (const expression of expressions) {
    // One that another version has stored and this one cannot read allows nothing.
    if (isMatchable(expression)) automaton.add(expression);
  }
  automaton.compile();
  return automaton;
}

/** Whole labels are compared: `https://a.b.example` lies below `https://b.example`. */
function isSubdomain(origin: string, bases: ReadonlySet<string>): boolean {
  const parts = bases.size === 0 ? null : webPartsOf(origin);
  if (parts === null) return false;
  const { scheme, host, port } = parts;
  for (let dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.', dot + 1))
    if (bases.has(`${scheme}${host.slice(dot + 1)}${port}`)) return true;
  return false;
}

function isLatest(origins: Set<string>, origin: string): boolean {
  if (!origins.delete(origin)) return false;
  origins.add(origin);
  return true;
}

function keep(origins: Set<string>, origin: string, limit: number): void {
  if (origins.size >= limit) origins.delete(origins.values().next().value as string);
  origins.add(origin);
}
