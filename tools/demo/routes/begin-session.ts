import { z } from 'zod';
import { defineOperation, type Operation } from '../../../src/gateway/api/operation/operation.ts';
import { beginSessionOperation } from '../../../src/gateway/api/operations/access/page-sessions.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import type { DemoAdministrator } from './administrator.ts';

/**
 * The console's log-in by one click, as the demo's administrator (docs/decisions/0494): the page is given no
 * password, and pages of other origins may not ask.
 */
export const beginDemoSession = (administrator: DemoAdministrator): Operation =>
  defineOperation({
    id: 'demo.console',
    name: 'Session of the demo console',
    route: 'POST /demo/console-session',
    surface: 'public',
    authentication: { kind: 'none' },
    input: {},
    output: z.unknown(),
    forPages: true,
    async handle(request, context) {
      const credentials = administrator();
      if (credentials === null)
        throw new PublicError('invalid_credentials', 'The password of the administrator is not in the file.');
      return beginSessionOperation.handle({ ...request, body: credentials } as never, context);
    },
  });
