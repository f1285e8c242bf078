import type { ReadModel } from '../../../directory/read-model.ts';
import { PublicError } from '../../base/errors.ts';
import type { Operation } from './operation.ts';

/**
 * The same operations, refused with `overloaded` until directory and lanes are read: before that the read model would
 * deny owners, instances and currencies that exist.
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
