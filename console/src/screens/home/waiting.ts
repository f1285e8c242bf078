import { type Amount, sumOf } from '../../parts/decimals.ts';

interface Payment {
  readonly state: string;
  readonly kind: string;
  readonly paid_amount: Amount;
  readonly paid_currency: string;
  readonly age_ms: number;
}

/** Payments that wait, by state, by whose money it will be, and by currency. */
export function groupsOf(payments: readonly Payment[]) {
  const groups = new Map<string, Payment[]>();
  for (const each of payments) {
    const key = `${each.state} ${sideOf(each)} ${each.paid_currency}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].map(([key, group]) => ({
    key,
    state: group[0]?.state as string,
    side: sideOf(group[0] as Payment),
    currency: group[0]?.paid_currency as string,
    count: group.length,
    amount: sumOf(group.map(({ paid_amount }) => paid_amount)),
    oldestMs: Math.max(...group.map(({ age_ms }) => age_ms)),
  }));
}

/** A debit takes money from a player; all else pays it. */
function sideOf({ kind }: Payment): string {
  return kind === 'debit' ? 'From players' : 'To players';
}
