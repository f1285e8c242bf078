import type { GatewayContext } from '../operation/operation.ts';

/** The lanes that serve: a question to all lanes leaves out the others. */
export function servingLanes({ lanes, directory }: GatewayContext): number[] {
  return Array.from({ length: lanes.lanes }, (_, lane) => lane).filter(
    (lane) => directory.conditions.fault(lane) === null,
  );
}
