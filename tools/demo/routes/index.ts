import type { Operation } from '../../../src/gateway/api/operation/operation.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import { isLoopbackAuthority } from '../../../src/lib/loopback.ts';
import type { DemoAdministrator } from './administrator.ts';
import { beginDemoSession } from './begin-session.ts';
import { contributeForPage } from './contribute.ts';
import type { DemoToken } from './player-tokens.ts';
import { type DemoBalance, readBalance } from './read-balance.ts';
import { readDemoSession } from './read-session.ts';

/**
 * What the demo's page calls. Mounted only where the settings say that the demo runs; in no document of the
 * API. They hand out the sessions of the demo's players, so they answer pages of this machine alone, unless
 * the demo is public: a public one, and one without a console, has no `administrator`.
 */
export function demoOperations(
  tokenOf: DemoToken,
  balanceOf: DemoBalance,
  administrator: DemoAdministrator | null,
  isPublic: boolean,
): readonly Operation[] {
  const operations = [readDemoSession(tokenOf), contributeForPage(tokenOf), readBalance(balanceOf)];
  if (isPublic) return operations;
  const ofConsole = administrator === null ? [] : [beginDemoSession(administrator)];
  return [...operations, ...ofConsole].map(forThisMachine);
}

function forThisMachine(operation: Operation): Operation {
  return {
    ...operation,
    async handle(request, context) {
      const { host } = request.headers;
      if (typeof host === 'string' && isLoopbackAuthority(host)) return operation.handle(request, context);
      throw new PublicError('forbidden', 'The demo is for this machine: open it at 127.0.0.1 or localhost.');
    },
  };
}
