import { utf8 } from '../../../lib/bytes.ts';
import { maxBrands } from '../directory/brands.ts';

/**
 * What makes a key of an operator one of a brand: the first 16 bytes of SHA-256 of the brand's path, by which the key is changed
 * (docs/rules/log.md "Idempotency keys").
 */
export type KeyScope = Uint32Array;

/** Keys that are not changed: those of administrators' changes, and all that were stored before keys were brands'. */
export const ofNoBrand: KeyScope = new Uint32Array(4);

/** The scopes of brands that were asked for. */
export class KeyScopes {
  readonly #sha256: (bytes: Uint8Array) => Uint8Array;
  readonly #known = new Map<string, KeyScope>();
  #last: { readonly brand: string; readonly scope: KeyScope } | null = null;

  constructor(sha256: (bytes: Uint8Array) => Uint8Array) {
    this.#sha256 = sha256;
  }

  of(brand: string): KeyScope {
    if (this.#last?.brand === brand) return this.#last.scope;
    let scope = this.#known.get(brand);
    if (scope === undefined) {
      const bytes = this.#sha256(utf8(brand));
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      scope = Uint32Array.from([0, 4, 8, 12], (at) => view.getUint32(at, true));
      if (this.#known.size >= maxBrands) this.#known.clear();
      this.#known.set(brand, scope);
    }
    this.#last = { brand, scope };
    return scope;
  }
}
