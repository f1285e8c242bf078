import { OriginList } from './origin-list.ts';
import { isOrigin, type OriginRule } from './origin-rules.ts';

interface OriginRules {
  /** Another number whenever anything of them changes. */
  readonly revision: number;
  readonly system: readonly OriginRule[];
  /** Rules of operators, by their ids; a list that changes is another one. */
  readonly operators: ReadonlyMap<string, readonly OriginRule[]>;
}

const mebibyte = 1024 * 1024;
/** The system's administrators know what they write. */
const ofSystem = { automatonBytes: 4 * mebibyte, newPerSecond: Number.POSITIVE_INFINITY, decisions: 1_000 };
export const ofOperator = { automatonBytes: mebibyte / 16, newPerSecond: 100, decisions: 200 };
const maxDecisions = 1_000;

/**
 * Origins that may read an answer: by the system's rules, or those of the operators that the request names,
 * of any where it names none (docs/rules/http.md "Cross-origin requests"). Follows `rules` from question to
 * question.
 */
export class AllowedOrigins {
  readonly #rules: () => OriginRules;
  readonly #nowMs: () => number;
  #revision = Number.NaN;
  #system: OriginList;
  #operators = new Map<string, OriginList>();
  /** The latest origins of requests that name no operator. */
  readonly #decisions = new Map<string, boolean>();

  constructor(rules: () => OriginRules, nowMs: () => number) {
    this.#rules = rules;
    this.#nowMs = nowMs;
    this.#system = new OriginList([], nowMs, ofSystem);
  }

  /** `operators`: those that the request names; null: none. */
  allows(origin: string, operators: readonly string[] | null): boolean {
    this.#follow();
    if (!isOrigin(origin)) return false;
    if (this.#system.allows(origin) === true) return true;
    if (operators === null) return this.#anyAllows(origin);
    return operators.some((operator) => this.#operators.get(operator)?.allows(origin) === true);
  }

  #anyAllows(origin: string): boolean {
    const known = this.#decisions.get(origin);
    if (known !== undefined) return known;
    let isDecided = true;
    let isAllowed = false;
    for (const list of this.#operators.values()) {
      const allowed = list.allows(origin);
      if (allowed === null) isDecided = false;
      isAllowed = allowed === true;
      if (isAllowed) break;
    }
    if (!isAllowed && !isDecided) return false;
    if (this.#decisions.size >= maxDecisions)
      this.#decisions.delete(this.#decisions.keys().next().value as string);
    this.#decisions.set(origin, isAllowed);
    return isAllowed;
  }

  #follow(): void {
    const { revision, system, operators } = this.#rules();
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#decisions.clear();
    if (system !== this.#system.rules) this.#system = new OriginList(system, this.#nowMs, ofSystem);
    const before = this.#operators;
    this.#operators = new Map();
    for (const [operator, rules] of operators) {
      const list = before.get(operator);
      const isSame = list?.rules === rules;
      this.#operators.set(operator, isSame ? list : new OriginList(rules, this.#nowMs, ofOperator));
    }
  }
}
