import { describe } from 'vitest';
import { openEngine } from '../../../src/fanout/engines/open-engine.ts';
import { loadEngine } from '../../../src/fanout/engines/uwebsockets/library.ts';
import { describeEngine, type Seen } from './contract.ts';

describe.skipIf(!loads())('uWebSockets.js', () => {
  describeEngine(() => openEngine<Seen>('uwebsockets').server, true);
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
