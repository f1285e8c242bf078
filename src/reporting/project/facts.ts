import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { assert } from '../../lib/assert.ts';
import type { BookedMessage } from '../base/booked-message.ts';

/** What never changes of an instance, as rows need it. */
interface FixedFacts {
  readonly operator: string;
  readonly currency: string;
}

/** The facts of the instances of a lane. They are read once: the state of the lane has them at any time. */
export class LaneFacts {
  readonly #known = new Map<string, FixedFacts>();

  of(message: BookedMessage, instance: string): FixedFacts {
    const known = this.#known.get(instance);
    if (known !== undefined) return known;
    const described = message.instance(instance);
    assert(described !== null, 'what happened in an instance happened in one that is there');
    const { currency } = described.configuration as { readonly currency: string };
    const facts = { operator: operatorOf(described.owner), currency };
    this.#known.set(instance, facts);
    return facts;
  }
}
