import { AuthorizationError, PermissionViolationError } from '@nats-io/nats-core';
import { expect, it } from 'vitest';
import { refusedConnections } from '../../../src/lib/refused-connections.ts';
import { RefusedCredentials } from '../../../src/log/jetstream/refused-credentials.ts';

const refusal = new AuthorizationError('Authorization Violation');

it('refused credentials are a line each minute for all connections of the process, and slow the retries down', () => {
  let nowMs = 0;
  const lines: string[] = [];
  const reports = { lastMs: Number.NEGATIVE_INFINITY };
  const create = () =>
    new RefusedCredentials(
      'actors',
      () => nowMs,
      (line) => lines.push(line),
      reports,
    );
  const [commands, outcomes] = [create(), create()];
  expect(commands.retryMs(100)).toBe(100);
  commands.noticed(new PermissionViolationError('no', 'publish', 'a.b'));
  expect([refusedConnections(), lines]).toEqual([0, []]);
  commands.noticed(refusal);
  outcomes.noticed(refusal);
  expect(refusedConnections()).toBe(2);
  const pauses = Array.from({ length: 20 }, () => {
    commands.noticed(refusal);
    return commands.retryMs(100);
  });
  expect(pauses.slice(0, 3)).toEqual([500, 900, 1_700]);
  expect(Math.max(...pauses)).toBe(5_100);
  expect(lines).toEqual([
    'nats-server refuses the credentials of actors: Authorization Violation. Runbook: docs/operate.md#potstreamcredentialsrefused',
  ]);
  nowMs = 60_000;
  outcomes.noticed(refusal);
  expect(lines).toHaveLength(2);
  commands.ended();
  expect([refusedConnections(), commands.retryMs(100)]).toEqual([1, 100]);
  outcomes.ended();
  expect(refusedConnections()).toBe(0);
});
