import { formatAmount } from '../../lib/money.ts';
import type { Posting } from '../base/booked-message.ts';

/** What a posting moved, by account, as decimals of units. */
export function splitOf({ amounts }: Posting): Record<string, string> {
  return Object.fromEntries(amounts.map(([account, atoms]) => [account, formatAmount(atoms)]));
}

/** What a posting brought to the accounts of an instance itself, and to each of its pots. */
interface Moved {
  of(account: string): bigint;
  /** All accounts of a pot together, and its seed among them. */
  readonly pots: ReadonlyMap<string, { readonly atoms: bigint; readonly seedAtoms: bigint }>;
}

export function movementOf(posting: Pick<Posting, 'amounts'> | undefined): Moved {
  const own = new Map<string, bigint>();
  const pots = new Map<string, { atoms: bigint; seedAtoms: bigint }>();
  for (const [account, atoms] of posting?.amounts ?? []) {
    const dot = account.indexOf('.');
    if (dot < 0) {
      own.set(account, atoms);
      continue;
    }
    const pot = account.slice(0, dot);
    const before = pots.get(pot) ?? { atoms: 0n, seedAtoms: 0n };
    const seedAtoms = account.endsWith('.seed') ? before.seedAtoms + atoms : before.seedAtoms;
    pots.set(pot, { atoms: before.atoms + atoms, seedAtoms });
  }
  return { of: (account) => own.get(account) ?? 0n, pots };
}
