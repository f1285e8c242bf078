import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';

const program = resolve(import.meta.dirname, '../../dist/program');
const files = readdirSync(program).filter((name) => name.endsWith('.cjs'));

/** V8 refuses `import()` in code that comes from kept bytecode (docs/decisions/0325). */
test('the program imports nothing while it runs', () => {
  const importing = files.filter((name) => importsIn(parseAst(readFileSync(join(program, name), 'utf8'))));
  expect(files.length).toBeGreaterThan(10);
  expect(importing).toEqual([]);
});

function importsIn(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ((node as { readonly type?: unknown }).type === 'ImportExpression') return true;
  return Object.values(node).some(importsIn);
}
