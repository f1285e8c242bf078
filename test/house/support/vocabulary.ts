import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync, Visitor } from 'vite';

const root = resolve(import.meta.dirname, '../../..');

/** The TypeScript files of src and bench; paths are relative to the repository. */
export const files = execFileSync('git', ['ls-files', 'src', 'bench'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts'));

/** The names in a file's code, and those that it declares as constants. */
export function namesOf(file: string): {
  readonly all: ReadonlySet<string>;
  readonly constants: Set<string>;
} {
  const all = new Set<string>();
  const constants = new Set<string>();
  new Visitor({
    Identifier: ({ name }) => void all.add(name),
    PrivateIdentifier: ({ name }) => void all.add(name),
    VariableDeclarator: ({ id }) => {
      if (id.type === 'Identifier') constants.add(id.name);
    },
  }).visit(parseSync(file, readFileSync(resolve(root, file), 'utf8')).program);
  return { all, constants };
}
