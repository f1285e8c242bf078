import { afterEach, expect, test, vi } from 'vitest';
import { crashedExitCode, endOnUncaught } from '../../src/runtime/uncaught.ts';

const signals = ['uncaughtException', 'unhandledRejection', 'warning'] as const;
const before = new Map(signals.map((name) => [name, process.listeners(name as 'warning')]));

afterEach(() => {
  vi.restoreAllMocks();
  for (const name of signals) {
    process.removeAllListeners(name);
    for (const listener of before.get(name) ?? []) process.on(name as 'warning', listener);
  }
});

/** The listeners that it adds, so that nothing of this process has to go wrong. */
function added() {
  const lines: [string, { err: unknown; code: string }][] = [];
  const log = (level: string) => (fields: { err: unknown; code: string }) => lines.push([level, fields]);
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never);
  endOnUncaught({ fatal: log('fatal'), warn: log('warn') } as never);
  const call = (name: (typeof signals)[number], value: unknown): void => {
    const listeners = process.listeners(name as 'warning') as unknown as ((value: unknown) => void)[];
    for (const listener of listeners) if (!before.get(name)?.includes(listener as never)) listener(value);
  };
  return { lines, exit, call };
}

test.each([
  ['uncaughtException', 'uncaught_exception'],
  ['unhandledRejection', 'unhandled_rejection'],
] as const)('an %s is written down with its code and ends the process', (name, code) => {
  const { lines, exit, call } = added();
  const error = new Error('a bug');
  call(name, error);
  expect(lines).toEqual([['fatal', { err: error, code }]]);
  expect(exit).toHaveBeenCalledExactlyOnceWith(crashedExitCode);
});

test('a warning of Node is a line of the log', () => {
  const { lines, exit, call } = added();
  const warning = new Error('too many listeners');
  call('warning', warning);
  expect(lines).toEqual([['warn', { err: warning, code: 'node_warning' }]]);
  expect(exit).not.toHaveBeenCalled();
});
