import type { ReadModel } from '../../../directory/read-model.ts';
import type { TraceParent } from '../../../lib/tracing.ts';
import { PublicError } from '../../base/errors.ts';
import type { LaneClient } from '../../lanes/lane-client.ts';
import type { GatewayContext, Operation } from './operation.ts';

/** The services of a request: those of a sampled one carry its trace to the lanes and to the wallets. */
export function tracedContext(context: GatewayContext, trace: TraceParent | null): GatewayContext {
  if (trace === null) return context;
  const { lanes, players } = context;
  return {
    ...context,
    lanes: tracedLanes(lanes, trace),
    players: {
      known: (question) => players.known(question),
      authenticate: (question) => players.authenticate(question, trace),
      authenticateAgain: (brand, player) => players.authenticateAgain(brand, player),
      stop: () => players.stop(),
    },
  };
}

function tracedLanes(lanes: LaneClient, trace: TraceParent): LaneClient {
  return {
    lanes: lanes.lanes,
    laneOf: (group) => lanes.laneOf(group),
    send: (lane, command, stored) => lanes.send(lane, command, stored, trace),
    submit: (lane, command, caller) => lanes.submit(lane, command, caller),
    timeOf: (lane, sequence) => lanes.timeOf(lane, sequence),
    readBack: (lane, sequence, index) => lanes.readBack(lane, sequence, index),
    query: (lane, query) => lanes.query(lane, query),
    pastEnd: (lane) => lanes.pastEnd(lane),
    onReply: (listener) => lanes.onReply(listener),
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
