import { expect, test } from 'vitest';
import { isSuitable, parseVersion, versionText } from '../../../src/supervisor/nats-server/version.ts';

test.each([
  ['nats-server: v2.15.1', '2.15.1'],
  ['nats-server: v2.15.0-RC.3\n', '2.15.0'],
  ['nats-server: v3.0.0-dev', '3.0.0'],
  ['2.16', '2.16.0'],
])('reads %j', (text, expected) => {
  const version = parseVersion(text);
  expect(version && versionText(version)).toBe(expected);
});

test.each(['', 'command not found', 'nats-server: vX.Y'])('does not take %j for a version', (text) => {
  expect(parseVersion(text)).toBeNull();
});

test.each([
  ['2.14.9', false],
  ['2.15.0', true],
  ['2.99.1', true],
  ['3.0.0', false],
  ['1.15.0', false],
])('%s is suitable: %s', (text, expected) => {
  const version = parseVersion(text);
  expect(version && isSuitable(version)).toBe(expected);
});
