import { socketsOfPlayer } from '../base/limits.ts';
import type { Credential } from '../connections/credentials.ts';

/** How many sockets each player has open. */
export class PlayerSockets {
  readonly #open = new Map<string, number>();

  /** Whether one more may be opened. */
  admits(credential: Credential): boolean {
    const key = keyOf(credential);
    return key === null || (this.#open.get(key) ?? 0) < socketsOfPlayer;
  }

  add(credential: Credential): void {
    const key = keyOf(credential);
    if (key !== null) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
  }

  remove(credential: Credential): void {
    const key = keyOf(credential);
    if (key === null) return;
    const left = (this.#open.get(key) ?? 0) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }
}

/** A brand path holds no space. */
function keyOf(credential: Credential): string | null {
  return credential.kind === 'player' ? `${credential.brand} ${credential.player}` : null;
}
