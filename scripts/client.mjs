// Bundles client/src for pages: `node scripts/client.mjs DIRECTORY`. Each entry is one minified module that stands alone, and
// client.js is the feed client as a script with the global `Potstream`. Beside each lies its compressed form, for the gateway.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { root } from './set-up.mjs';

const directory = resolve(root, process.argv[2] ?? 'client/dist');
const source = (name) => join(root, 'client/src', name);

await write('index.ts', 'index.js', { format: 'es' });
await write('index.ts', 'client.js', { format: 'iife', name: 'Potstream' });
await write('ticker/index.ts', 'ticker.js', { format: 'es' });
await write('react/index.ts', 'react.js', { format: 'es' }, ['react']);

async function write(entry, name, output, external = []) {
  const file = join(directory, name);
  // React's `'use client'` stays, as it must.
  const checks = { moduleLevelDirective: false };
  const bundle = await rolldown({ input: source(entry), platform: 'browser', external, checks });
  await bundle.write({ ...output, file, minify: true });
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
