import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { fromUtf8 } from '../../lib/bytes.ts';

/**
 * KV FORGOTTEN: players whose ids the books do not have any more (docs/reporting.md "Forgotten players"). It
 * has no ids either, but keyed hashes of them, by which the books know a player who comes again
 * (docs/decisions/0488).
 */

/** The key of the hashes: 32 random bytes, made once. */
export const forgottenSaltKey = 'salt';

/** What stands in place of the id of a player, the same each time: no other player has it. */
export function forgottenPseudonym(salt: Uint8Array, brand: string, player: string): string {
  const hash = createHmac('sha256', salt).update(`${brand}\0${player}`).digest('hex');
  return `forgotten-${hash.slice(0, 32)}`;
}

/** The key of a player in the table. */
export function forgottenKey(pseudonym: string): string {
  return `player.${pseudonym}`;
}

/** The pseudonym that a key of the table is of; null: it is another key. */
export function pseudonymOfKey(key: string): string | null {
  return /^player\.(forgotten-[0-9a-f]{32})$/.exec(key)?.[1] ?? null;
}

const entryShape = z.object({ brand: z.string(), since: z.int().min(0) });

/** The brand whose player it is, and when that was ordered. */
type ForgottenEntry = z.infer<typeof entryShape>;

/** The bytes of an entry. */
export function encodeForgotten(entry: ForgottenEntry): Uint8Array {
  return Buffer.from(JSON.stringify(entry), 'utf8');
}

/** null: the entry cannot be read. */
export function decodeForgotten(bytes: Uint8Array): ForgottenEntry | null {
  try {
    return entryShape.safeParse(JSON.parse(fromUtf8(bytes))).data ?? null;
  } catch {
    return null;
  }
}
