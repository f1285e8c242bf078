import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { table } from '../../src/config/table.ts';

const roles = [
  ...['gateway', 'actors', 'fanout', 'wallet', 'outbox', 'reporting', 'storage'],
  ...['reference-wallet', 'demo'],
];
const folders: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    roles.map((role) => [role, [`src/${role}`, `tools/${role}`, 'src/wiring.ts', 'src/roles.ts']]),
  ),
  up: ['src/cli/up', 'src/cli/system', 'src/wiring.ts'],
  commands: ['src/cli', 'tools', 'src/wiring.ts'],
};
const rows = Object.entries(table).flatMap(([name, { field, readers }]) =>
  field === null || readers === 'all' ? [] : [[name, field, readers.split(' ')] as const],
);

it.each(rows)('%s is read by those that the table names', (_, field, readers) => {
  const mention = new RegExp(`\\b${field}\\b`);
  expect(
    readers.filter((reader) => !textOf(folders[reader] ?? []).some((text) => mention.test(text))),
  ).toEqual([]);
  const others = roles.filter((role) => !readers.includes(role));
  const assembling = others.filter((role) =>
    textOf([`src/${role}/main.ts`, `tools/${role}/main.ts`]).some((text) => mention.test(text)),
  );
  expect(assembling).toEqual([]);
});

/** Without comments and texts: words there are no readers. */
function textOf(paths: readonly string[]): string[] {
  return paths
    .flatMap((path) => filesOf(path))
    .map((file) =>
      readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, ''),
    );
}

function filesOf(path: string): string[] {
  try {
    if (path.endsWith('.ts')) return readFileSync(path, 'utf8') === '' ? [] : [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(path, file));
  } catch {
    return [];
  }
}
