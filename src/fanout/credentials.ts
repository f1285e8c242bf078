import { type Access, verifyServiceToken } from '../access/access.ts';
import type { Credential } from './connection.ts';

/** The tokens that open sockets came with. Sockets with equal tokens share one credential. */
export class Credentials {
  readonly #access: Access;
  readonly #open = new Map<string, { readonly credential: Credential; sockets: number }>();
  #accountsChanged = false;

  constructor(access: Access) {
    this.#access = access;
    access.accounts.onChange(() => {
      this.#accountsChanged = true;
    });
  }

  /** null: on feeds every token that does not hold is the same to the caller. */
  async verify(token: string): Promise<Credential | null> {
    const open = this.#open.get(token)?.credential;
    const known = this.#access.tokens.knownService(token, 'feed');
    if (known !== undefined) return open ?? { token, principal: known };
    const principal = await verifyServiceToken(this.#access, token);
    return typeof principal === 'string' ? null : { token, principal };
  }

  acquire(credential: Credential): Credential {
    const open = this.#open.get(credential.token) ?? { credential, sockets: 0 };
    open.sockets += 1;
    this.#open.set(credential.token, open);
    return open.credential;
  }

  release(credential: Credential): void {
    const open = this.#open.get(credential.token);
    if (open === undefined) return;
    open.sockets -= 1;
    if (open.sockets === 0) this.#open.delete(credential.token);
  }

  /** After a change of the accounts: the credentials that do not hold any more. Verifies each once. */
  async revoked(): Promise<ReadonlySet<Credential>> {
    const found = new Set<Credential>();
    if (!this.#accountsChanged) return found;
    this.#accountsChanged = false;
    for (const { credential } of [...this.#open.values()])
      if ((await this.verify(credential.token)) === null) found.add(credential);
    return found;
  }
}
