import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { program } from '../../src/main.ts';

function* commandsOf(command: Command): Generator<Command> {
  yield command;
  for (const each of command.commands) yield* commandsOf(each);
}

it.each([...commandsOf(program())].map((command) => [command.name(), command] as const))(
  'potstream %s explains itself',
  (_, command) => {
    const help = command.helpInformation();
    expect(command.description()).not.toBe('');
    for (const { description, long } of command.options) {
      expect(help).toContain(long);
      expect(description).not.toBe('');
    }
  },
);

it('says which version it is', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(program().version()).toBe(version);
  expect(program().helpInformation()).toContain('--version');
});
