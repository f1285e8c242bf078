import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What feeds the two and compares them; the rest recomputes. */
const harness = /^(pair|compare|histories|configurations|.*\.test)\.ts$/;

it('the oracle takes nothing but types from the engine', () => {
  const folder = new URL('./', import.meta.url);
  const files = readdirSync(folder).filter((name) => !harness.test(name));
  expect(files.length).toBeGreaterThan(10);
  const imported = files.flatMap((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const statements = text.match(/^import [\s\S]*?from '[^']+';/gm) ?? [];
    return statements
      .filter(
        (each) => !each.startsWith('import type') && !/from '(node:[a-z]+|\.\/[a-z0-9-]+\.ts)';$/.test(each),
      )
      .map((each) => `${name}: ${each}`);
  });
  expect(imported).toEqual([]);
});
