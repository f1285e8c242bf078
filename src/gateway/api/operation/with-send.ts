import type { LaneClient } from '../../lanes/lane-client.ts';

/** The same lanes, to which commands go by another `send`. */
export function withSend(lanes: LaneClient, send: LaneClient['send']): LaneClient {
  return {
    lanes: lanes.lanes,
    laneOf: (group) => lanes.laneOf(group),
    send,
    submit: (lane, command, caller) => lanes.submit(lane, command, caller),
    timeOf: (lane, sequence) => lanes.timeOf(lane, sequence),
    readBack: (lane, sequence, index) => lanes.readBack(lane, sequence, index),
    query: (lane, query) => lanes.query(lane, query),
    pastEnd: (lane) => lanes.pastEnd(lane),
    onReply: (listener) => lanes.onReply(listener),
  };
}
