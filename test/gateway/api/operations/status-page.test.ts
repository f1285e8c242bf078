import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { feeds } from '../../../../src/fanout/feeds/index.ts';
import { operations } from '../../../../src/gateway/api/operations/index.ts';
import { program } from '../../../../src/main.ts';
import { runnableRoles } from '../../../../src/roles.ts';
import { documented, documentedFeeds, documentedWalletCalls, needed } from './support/documented.ts';
import { type Built, differences, statusCommands, statusRows } from './support/status-page.ts';

const root = resolve(import.meta.dirname, '../../../..');
const page = readFileSync(join(root, 'docs/status.md'), 'utf8');

const http = operations.map(({ method, path }) => `${method} ${path}`);
const websockets = feeds.flatMap(({ paths }) =>
  paths.map((path) => `WS ${path.replace(/:([a-z_]+)/g, '{$1}')}`),
);
/** Each call is a file that names itself. */
const calls = join(root, 'src/wallet/calls');
const walletCalls = readdirSync(calls)
  .flatMap((file) => [...readFileSync(join(calls, file), 'utf8').matchAll(/name: '(W[1-5])'/g)])
  .flatMap(([, number]) => documentedWalletCalls[number as string] ?? []);

const built: Built = {
  numbered: { ...documented, ...documentedFeeds, ...documentedWalletCalls },
  unnumbered: needed,
  running: new Set([...http, ...websockets, ...walletCalls]),
};

const commands = new Set(commandsOf(program()));

describe('docs/status.md', () => {
  const rows = statusRows(page);

  it('says of every operation whether it is built', () => {
    expect(walletCalls).not.toEqual([]);
    expect(Object.keys(built.numbered)).toHaveLength(25 + 37 + 5);
    expect(differences(rows, built)).toEqual([]);
  });

  it('is found out when a route is built and not named, or named and not built', () => {
    const route = 'GET /v1/new';
    const more = { ...built, running: new Set([...built.running, route]) };
    expect(differences(rows, more)).toEqual([`${route} is named 0 times`]);
    const fewer = { ...built, running: new Set([...built.running].filter((each) => each !== http[0])) };
    expect(differences(rows, fewer)).toEqual([`${http[0]} is not built`]);
    expect(differences(rows.slice(1), built)).toContain('O1 has 0 rows');
  });

  it('names every command once', () => {
    expect(statusCommands(page, 'built').toSorted()).toEqual([...commands].toSorted());
    expect(statusCommands(page, 'not built').filter((name) => commands.has(name))).toEqual([]);
  });
});

/** Commands that do something, with the names of those above them. */
function* commandsOf(command: Command, above = ''): Generator<string> {
  for (const each of command.commands) {
    const name = `${above}${each.name()}`;
    // `wallet` is a role that has a command below it.
    if (each.commands.length === 0 || name in runnableRoles) yield name;
    yield* commandsOf(each, `${name} `);
  }
}
