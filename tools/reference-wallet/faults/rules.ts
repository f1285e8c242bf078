/** The operations of a wallet that rules can name. */
export type WalletNumber = 'W1' | 'W2' | 'W3' | 'W4' | 'W5';

/** What can go wrong with a request (docs/rules/wallets.md "Faults"). */
export const faultKinds = [
  'delay',
  'drop',
  'error',
  'garbage',
  'truncated',
  'slow',
  'oversized',
  'redirect',
  'duplicate',
  'wrong_shape',
  'revoke_token',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Which requests go wrong, and how; members as in `PUT /control/faults`. */
export interface FaultRule {
  readonly operation: WalletNumber | 'any';
  readonly brand_id?: string | undefined;
  readonly player_id?: string | undefined;
  readonly transaction_prefix?: string | undefined;
  readonly probability: number;
  readonly seed: number;
  readonly fault: FaultKind;
  readonly when: 'before' | 'after';
  readonly ms: number;
  readonly times: number | null;
}

/** What rules can ask about a request. */
export interface FaultSubject {
  readonly operation: WalletNumber;
  readonly brand: string | null;
  readonly players: readonly string[];
  /** The id of the transaction or batch; null: W1. */
  readonly id: string | null;
}

interface ActiveRule {
  readonly rule: FaultRule;
  followed: number;
  /** State of the rule's random numbers. */
  random: number;
}

/** The rules in force. */
export class FaultRules {
  #rules: readonly ActiveRule[] = [];

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  replace(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, followed: 0, random: rule.seed }));
  }

  list() {
    return this.#rules.map(({ rule, followed }) => ({ ...rule, followed }));
  }

  /** The fault of this request: of the first rule that holds. */
  next(subject: FaultSubject): FaultRule | null {
    for (const active of this.#rules) {
      const { rule } = active;
      if (rule.times !== null && active.followed >= rule.times) continue;
      if (!holds(rule, subject) || !isDrawn(active)) continue;
      active.followed += 1;
      return rule;
    }
    return null;
  }
}

function holds(rule: FaultRule, { operation, brand, players, id }: FaultSubject): boolean {
  return (
    (rule.operation === 'any' || rule.operation === operation) &&
    (rule.brand_id === undefined || rule.brand_id === brand) &&
    (rule.player_id === undefined || players.includes(rule.player_id)) &&
    (rule.transaction_prefix === undefined || (id ?? '').startsWith(rule.transaction_prefix))
  );
}

/** Mulberry32: the same seed draws the same requests. */
function isDrawn(active: ActiveRule): boolean {
  if (active.rule.probability === 1) return true;
  active.random = (active.random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(active.random ^ (active.random >>> 15), 1 | active.random);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 < active.rule.probability;
}
