// Bundles the compiled program into few files, from which `potstream` runs: a role that starts loads some thirty files
// instead of seven hundred (docs/decisions/0325). `node scripts/bundle.mjs [DIRECTORY]`, of the compiler's output.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './set-up.mjs';

/** These load native libraries, or files by name, and remain packages. ws works without the last two. */
const packages = [
  '@fastify/static',
  '@node-rs/argon2',
  'ajv',
  'fastify',
  'libsql',
  'msgpackr',
  'pino',
  'piscina',
  'uWebSockets.js',
  'bufferutil',
  'utf-8-validate',
];

const directory = resolve(root, process.argv[2] ?? 'dist');
const bundle = await rolldown({
  input: {
    main: join(directory, 'src/main.js'),
    // A thread of its own, which the program starts by the path beside its own files.
    'hashing-thread': join(directory, 'src/access/hashing-thread.js'),
  },
  platform: 'node',
  external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
});
const output = join(directory, 'program');
rmSync(output, { recursive: true, force: true });
await bundle.write({
  dir: output,
  format: 'es',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
