import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventStreamMediaType } from '../../contracts/bodies/body-formats.ts';
import { countAnswer, guardHeaders, requestIdOf } from '../http/answer.ts';
import { markOpenEnded } from '../http/read-body.ts';
import { endRequestSpan, spanOf } from '../http/request-observation.ts';
import { eventStreamLimits as limits } from './limits.ts';

/**
 * The head of an answer of Server-Sent Events, and when its client comes back. `chance`: 0 to 1, so that all
 * clients of a gateway do not come back together.
 */
export function beginEvents(request: IncomingMessage, response: ServerResponse, chance: number): string {
  markOpenEnded(request);
  countAnswer(200);
  endRequestSpan(spanOf(response), 200);
  const own = ['Content-Type', eventStreamMediaType, 'X-Accel-Buffering', 'no'];
  response.writeHead(200, [...guardHeaders, 'X-Request-Id', requestIdOf(response), ...own]);
  response.on('error', () => {});
  const { from, to } = limits.retryMs;
  return `retry: ${Math.round(from + chance * (to - from))}\n\n`;
}
