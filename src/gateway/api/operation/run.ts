import type { ReadModel } from '../../../directory/read-model.ts';
import type { TraceParent } from '../../../lib/tracing.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext, Operation } from './operation.ts';
import { withSend } from './with-send.ts';

/** The services of a request: those of a sampled one carry its trace to the lanes and to the wallets. */
export function tracedContext(context: GatewayContext, trace: TraceParent | null): GatewayContext {
  if (trace === null) return context;
  const { lanes, players } = context;
  return {
    ...context,
    lanes: withSend(lanes, (lane, command, stored) => lanes.send(lane, command, stored, trace)),
    players: {
      known: (question) => players.known(question),
      authenticate: (question) => players.authenticate(question, trace),
      authenticateAgain: (brand, player) => players.authenticateAgain(brand, player),
      stop: () => players.stop(),
    },
  };
}

/** The same operations, refused with `overloaded` until directory and lanes are read. */
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
