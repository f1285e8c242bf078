import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { specifiersOf } from '../house/support/imports.ts';
import { run } from '../sdk/support/run.ts';
import { publishedCases } from './support/cases.ts';

const repository = join(import.meta.dirname, '../..');
const verifier = join(repository, 'verifier');
const compiler = join(repository, 'node_modules/typescript/bin/tsc');
const address = 'https://potstream.example/v1/fairness/instances/INSTANCE/epochs/0';
const example = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(verifier, 'README.md'), 'utf8'))?.[1] ?? '';

it('imports nothing but its own files', () => {
  const sources = readdirSync(join(verifier, 'src')).map((file) =>
    readFileSync(join(verifier, 'src', file), 'utf8'),
  );
  const specifiers = sources.flatMap((text) => specifiersOf(text));
  expect(specifiers.length).toBeGreaterThan(20);
  expect(specifiers.filter((each) => !each.startsWith('./'))).toEqual([]);
});

describe('the built verifier in a project of another party', () => {
  let folder: string;
  let server: Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(repository, 'node_modules/.verifier-'));
    const installed = join(folder, 'node_modules/@potstream/verifier');
    mkdirSync(installed, { recursive: true });
    await run(process.execPath, [compiler, '-p', verifier, '--outDir', join(installed, 'dist')]);
    cpSync(join(verifier, 'package.json'), join(installed, 'package.json'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', types: ['node'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    server = createServer((_, response) => response.end(JSON.stringify(publishedCases()[0]!.published)));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterAll(async () => {
    await new Promise((closed) => server.close(closed));
    rmSync(folder, { recursive: true });
  });

  it('runs the example of its README, and its types refuse what is wrong', async () => {
    const { port } = server.address() as AddressInfo;
    expect(example).toContain(address);
    writeFileSync(join(folder, 'example.ts'), example.replace(address, `http://127.0.0.1:${port}/`));
    writeFileSync(join(folder, 'faulty.ts'), example.replace('answer.text()', 'answer.blob()'));
    const said = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(String);
    expect(said.match(/[a-z.]+\([0-9]+(?=,[0-9]+\): error)/g)).toEqual(['faulty.ts(13']);
    expect(await run(process.execPath, [join(folder, 'example.js')])).toBe('true\n');
  });
});
