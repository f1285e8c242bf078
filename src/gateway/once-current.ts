import type { Replica } from '../directory/replica.ts';
import { PublicError } from './errors.ts';
import type { Operation } from './operation.ts';

/**
 * The same operations, refused with `overloaded` until directory and lanes have been read up to now: before that a replica
 * that does not know an owner, an instance or its currency yet would say that there is none.
 */
export function onceCurrent(
  operations: readonly Operation[],
  replica: Pick<Replica, 'current'>,
): readonly Operation[] {
  return operations.map((operation) => ({
    ...operation,
    handle(request, context) {
      if (!replica.current()) throw new PublicError('overloaded');
      return operation.handle(request, context);
    },
  }));
}
