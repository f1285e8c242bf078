import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../sdk/support/page.ts';
import { run } from '../sdk/support/run.ts';

const client = join(repository, 'client');
const tickerLimitBytes = 20 * 1024;

describe('the built ticker', () => {
  it('is one script of at most 20 KiB, with the client in it', () => {
    const script = readFileSync(join(client, 'dist/ticker.js'), 'utf8');
    expect(script).not.toMatch(/\bimport\s*[("'{*]/);
    expect(script).toContain('SubscribeRequest');
    expect(statSync(join(client, 'dist/ticker.js.gz')).size).toBeLessThanOrEqual(tickerLimitBytes);
  });

  it('has nothing that a strict policy or Trusted Types refuse', () => {
    const script = readFileSync(join(client, 'dist/ticker.js'), 'utf8');
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|document\.write/,
    );
    expect(script).not.toMatch(/\beval\b|new Function|createElement\(["'`](?:style|script)/);
  });
});

describe('the examples', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'potstream-examples-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['react', 'vue', 'svelte'])('are built by the compiler of %s', async (framework) => {
    const output = join(folder, framework);
    const vite = join(repository, 'node_modules/vite/bin/vite.js');
    await run(process.execPath, [vite, 'build', join(client, 'examples', framework), '--outDir', output]);
    const scripts = readdirSync(join(output, 'assets')).filter((file) => file.endsWith('.js'));
    const text = scripts.map((file) => readFileSync(join(output, 'assets', file), 'utf8')).join('');
    expect(text).toContain('jackpot-ticker');
    expect(text).toContain('slot-1');
  });
});

describe('the React wrapper', () => {
  it('has types that find a wrong property', async () => {
    // Within the package, so that its name and React are found.
    const folder = mkdtempSync(join(client, 'dist-types-'));
    try {
      const compilerOptions = {
        strict: true,
        noEmit: true,
        module: 'esnext',
        moduleResolution: 'bundler',
        target: 'es2022',
        jsx: 'react-jsx',
        lib: ['es2023', 'dom'],
        types: [],
      };
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['faulty.tsx'] }),
      );
      writeFileSync(
        join(folder, 'faulty.tsx'),
        `import { JackpotTicker, Potstream, useJackpot } from '@potstream/client/react';
export const fine = <Potstream src="/" brand="a/b"><JackpotTicker source="slot-1" labels={{ mustDrop: '{time}' }} /></Potstream>;
export const amount = (): string | undefined => useJackpot('slot-1').jackpot?.pots[0]?.current_value;
export const wrong = <JackpotTicker sauce="slot-1" />;
export const number = (): number | undefined => useJackpot('slot-1').jackpot?.pots[0]?.current_value;
export const without = <Potstream src="/" />;
`,
      );
      const compiler = join(repository, 'node_modules/typescript/bin/tsc');
      expect(existsSync(join(client, 'dist/react/index.d.ts'))).toBe(true);
      const said = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(String);
      expect(said.match(/faulty\.tsx\([0-9]+(?=,[0-9]+\): error)/g)).toEqual(
        [4, 5, 6].map((line) => `faulty.tsx(${line}`),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
