/** The client's side: a contribution, and every answer that its key ever got. */
export interface Sent {
  /** Who sent it: its operator's id. */
  readonly operator: string;
  readonly key: string;
  readonly wagerAtoms: bigint;
  /** What a contribution of that wager must add. */
  readonly contributionAtoms: bigint;
  /** Of 200 and 204 alike: the headers of an answer, as text. Repeats of a key must all have the same. */
  readonly answers: readonly Answer[];
}

export interface Answer {
  readonly contributionId: string;
  /** All headers that a repeat must have again. */
  readonly text: string;
}

/** The log's side: a contribution that a lane has applied. */
export interface Applied {
  /** As `keyOf` makes it. */
  readonly key: string;
  readonly contributionId: string;
  readonly wagerAtoms: bigint;
  readonly contributionAtoms: bigint;
}

export interface LedgerFaults {
  /** Acknowledged, and not in the log. */
  readonly lost: readonly string[];
  /** Applied more than once. */
  readonly doubled: readonly string[];
  /** Repeats of a key that were answered in different ways, or with another contribution than the log has. */
  readonly changed: readonly string[];
  /** Applied with another amount than was sent. */
  readonly wrongAmounts: readonly string[];
  /** Applied, and nobody has sent them. */
  readonly strangers: readonly string[];
}

/** Compares what clients sent, and were answered, with what the log says was applied. */
export function compareLedgers(
  sent: readonly Sent[],
  applied: readonly Applied[],
  keyOf: (operator: string, key: string) => string,
): LedgerFaults {
  const byKey = new Map<string, Applied[]>();
  for (const one of applied) byKey.set(one.key, [...(byKey.get(one.key) ?? []), one]);
  const lost: string[] = [];
  const doubled: string[] = [];
  const changed: string[] = [];
  const wrongAmounts: string[] = [];
  for (const { operator, key, answers, wagerAtoms, contributionAtoms } of sent) {
    const found = byKey.get(keyOf(operator, key)) ?? [];
    byKey.delete(keyOf(operator, key));
    const [first] = found;
    if (first === undefined) {
      // Not answered: it may be applied or not.
      if (answers.length > 0) lost.push(key);
      continue;
    }
    if (found.length > 1) doubled.push(key);
    const isSame = new Set(answers.map(({ text }) => text)).size <= 1;
    if (!isSame || answers.some(({ contributionId }) => contributionId !== first.contributionId))
      changed.push(key);
    if (first.wagerAtoms !== wagerAtoms || first.contributionAtoms !== contributionAtoms)
      wrongAmounts.push(key);
  }
  return { lost, doubled, changed, wrongAmounts, strangers: [...byKey.keys()] };
}

/** One line for each kind of fault that there is. */
export function faultLines(faults: LedgerFaults): string[] {
  return Object.entries(faults).flatMap(([kind, keys]: [string, readonly string[]]) =>
    keys.length === 0 ? [] : [`${keys.length} ${kind}: ${keys.slice(0, 5).join(', ')}`],
  );
}
