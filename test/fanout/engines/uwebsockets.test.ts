import { describe } from 'vitest';
import { openEngine } from '../../../src/fanout/engines/open-engine.ts';
import { loadEngine } from '../../../src/fanout/engines/uwebsockets/library.ts';
import { describeEngine, type Seen } from './contract.ts';
import { describeProtocol } from './protocol.ts';

describe.skipIf(!loads())('uWebSockets.js', () => {
  describe('what the feeds rely on', () =>
    describeEngine(() => openEngine<Seen>('uwebsockets').server, true));
  describe('RFC 6455', () => describeProtocol(() => openEngine<string[]>('uwebsockets').server));
});

/** `npm run matrix` runs this file with releases of Node for which it does not load. */
function loads(): boolean {
  try {
    loadEngine();
    return true;
  } catch (error) {
    console.warn(
      `The contract of uWebSockets.js is skipped: ${error instanceof Error ? error.message : error}`,
    );
    return false;
  }
}
