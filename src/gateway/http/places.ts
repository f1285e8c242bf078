import { AddressCounts } from '../base/address-counts.ts';
import { PublicError } from '../base/errors.ts';

/** Places of long connections: in all, and of an address. */
export class Places {
  readonly #limit: number;
  readonly #ofAddress: AddressCounts;
  #open = 0;

  constructor(limit: number, ofAddress: number) {
    this.#limit = limit;
    this.#ofAddress = new AddressCounts(ofAddress);
  }

  /** Takes one, which has to be released; otherwise why there is none. */
  take(address: string): PublicError | null {
    if (this.#open >= this.#limit) return new PublicError('overloaded');
    if (!this.#ofAddress.take(address)) return new PublicError('too_many_connections');
    this.#open += 1;
    return null;
  }

  release(address: string): void {
    this.#open -= 1;
    this.#ofAddress.release(address);
  }
}

const publicPrefix = '/v1/public/';
const feedPattern = /^\/v1\/public\/[^/]+\/[^/]+\/events$/;

/** Whether everybody may ask for it, pages of every origin among them. */
export function isPublicPath(path: string): boolean {
  return path.startsWith(publicPrefix);
}

export function isPublicFeedPath(path: string): boolean {
  return isPublicPath(path) && feedPattern.test(path);
}
