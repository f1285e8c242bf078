import {
  decodeForgotten,
  forgottenSaltKey,
  pseudonymOfKey,
} from '../../contracts/directory/forgotten-players.ts';
import type { Table } from '../../ports.ts';
import type { ForgottenPlayer, ForgottenPlayers } from '../base/forgotten.ts';

/** KV FORGOTTEN as it is now. */
interface ForgottenList {
  /** null: the list is empty. */
  players(): ForgottenPlayers | null;
  stop(): Promise<void>;
}

/** Follows the list; resolves once all of it is read. @throws LogError */
export async function followForgotten(table: Table): Promise<ForgottenList> {
  const players = new Map<string, ForgottenPlayer>();
  let salt: Uint8Array | null = null;
  let becomeCurrent: () => void = () => {};
  const current = new Promise<void>((resolve) => {
    becomeCurrent = resolve;
  });
  const watch = await table.watch({
    entry(key, value) {
      if (key === forgottenSaltKey) salt = value;
      const pseudonym = pseudonymOfKey(key);
      const entry = pseudonym === null || value === null ? null : decodeForgotten(value);
      // For good: an entry that is gone or cannot be read stays as it was.
      if (pseudonym !== null && entry !== null) players.set(pseudonym, { pseudonym, ...entry });
    },
    current: becomeCurrent,
  });
  await current;
  return {
    players: () => (salt === null || players.size === 0 ? null : { salt, players: [...players.values()] }),
    stop: () => watch.stop(),
  };
}
