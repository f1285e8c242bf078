import { hintShape } from '../../../../contracts/feeds/hints.ts';
import { defineRead } from '../../operation/operation.ts';

/**
 * Hints that an approval, an instance, a payment or a lane has changed, as Server-Sent Events: each caller
 * gets those of what it may read, for as long as its token counts. docs/rules/http.md "Events for screens"
 */
export const followEventsOperation = defineRead('read', {
  id: 'events.follow',
  name: 'Follow events for screens',
  route: 'GET /config/events',
  input: {},
  output: hintShape,
  refusals: [429],
  limits: { events: true },
  async handle() {
    return { status: 200, stream: 'hints' };
  },
});
