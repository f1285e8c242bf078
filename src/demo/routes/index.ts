import type { Operation } from '../../gateway/operation.ts';
import type { DemoToken } from '../player-tokens.ts';
import { contributeForPage } from './contribute.ts';
import { type DemoBalance, readBalance } from './read-balance.ts';
import { readDemoSession } from './read-session.ts';

/** What the demo's page calls. Mounted only where the settings say that the demo runs; in no document of the API. */
export function demoOperations(tokenOf: DemoToken, balanceOf: DemoBalance): readonly Operation[] {
  return [readDemoSession(tokenOf), contributeForPage(tokenOf), readBalance(balanceOf)];
}
