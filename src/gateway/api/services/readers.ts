import { FairQueue, QueueFull } from '../../../access/passwords/fair-queue.ts';
import type { AdministratorPrincipal } from '../../../access/rights/principal.ts';
import { operatorsOf } from '../../../access/rights/read-scope.ts';
import type { Clock } from '../../../ports.ts';
import { PublicError } from '../../base/errors.ts';

/** What is long to read. Operators have turns, and none has more than half of the places. */
export interface Readers {
  /** Lists of settlements: each may ask the lanes for hundreds of slices. */
  readonly settlements: FairReaders;
  /** Lists of deliveries, which the outboxes answer only some at a time. */
  readonly deliveries: FairReaders;
  /** Questions about the books. */
  readonly books: FairReaders;
  /** Instances as they were: each may replay for seconds. */
  readonly places: FairReaders;
  /** Lists of the audit trail: each may read thousands of messages. */
  readonly audit: FairReaders;
  /** Pages of published epochs, and lists of epochs, of instances of an operator. */
  readonly epochs: FairReaders;
  readonly epochLists: FairReaders;
}

export function createReaders(clock: Clock): Readers {
  return {
    settlements: new FairReaders(clock, 4),
    deliveries: new FairReaders(clock, 4),
    books: new FairReaders(clock, 8),
    places: new FairReaders(clock, 2),
    audit: new FairReaders(clock, 4),
    epochs: new FairReaders(clock, 8),
    epochLists: new FairReaders(clock, 8),
  };
}

const waitingTimes = 16;

/** A number of places for work of one kind. */
export class FairReaders {
  readonly #queue: FairQueue;

  constructor(clock: Clock, atOnce: number) {
    this.#queue = new FairQueue(clock, {
      concurrent: atOnce,
      concurrentPerAddress: atOnce / 2,
      concurrentUnproven: atOnce,
      unprovenRest: false,
      waiting: waitingTimes * atOnce,
      waitingPerAddress: 2 * atOnce,
      waitingPerUser: atOnce,
    });
  }

  /** Works when the party and its user have their turn. @throws PublicError overloaded */
  async during<T>(party: string, user: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.run({ address: party, user, proven: false }, work);
    } catch (error) {
      throw error instanceof QueueFull ? new PublicError('overloaded') : error;
    }
  }
}

/** Who changes something. */
export type Writer = Pick<AdministratorPrincipal, 'subject' | 'owners'>;

/** Those who share their turns: administrators of the same operators, or one of the whole system alone. */
export function partyOf({ subject, owners }: Writer): string {
  const operators = operatorsOf(owners);
  return operators.length === 0 ? `user ${subject}` : `operators ${operators.sort().join(' ')}`;
}
