import type { ReadModel } from '../directory/read-model.ts';
import { PublicError } from './errors.ts';
import type { Operation } from './operation.ts';

/**
 * The same operations, refused with `overloaded` until directory and lanes have been read up to now: before that a read model
 * that does not know an owner, an instance or its currency yet would say that there is none.
 */
export function onceCurrent(
  operations: readonly Operation[],
  readModel: Pick<ReadModel, 'current'>,
): readonly Operation[] {
  return operations.map((operation) => ({
    ...operation,
    handle(request, context) {
      if (!readModel.current()) throw new PublicError('overloaded');
      return operation.handle(request, context);
    },
  }));
}
