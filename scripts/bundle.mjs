// Bundles the compiled program into few files, from which `potstream` runs: a role that starts loads some thirty files
// instead of seven hundred (docs/decisions/0325). `node scripts/bundle.mjs [DIRECTORY]`, of the compiler's output.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './set-up.mjs';

/** These load native libraries, or files by name, and remain packages. ws works without the last two. */
const packages = [
  '@node-rs/argon2',
  'libsql',
  'msgpackr',
  'piscina',
  'uWebSockets.js',
  'bufferutil',
  'utf-8-validate',
];

const directory = resolve(root, process.argv[2] ?? 'dist');
const output = join(directory, 'program');
rmSync(output, { recursive: true, force: true });
// CommonJS: V8's bytecode of such modules can be kept (docs/decisions/0325).
await write('src/cli/start.js', 'cjs', 'cjs');
// Threads, which the program starts by their paths beside its own files.
await write('src/access/passwords/hashing-thread.js', 'es', 'js');
await write('src/actors/epochs/epoch-thread.js', 'es', 'js');
await write('src/reporting/answers/answer-thread.js', 'es', 'js');
await write('src/reporting/simulations/simulation-thread.js', 'es', 'js');

async function write(entry, format, extension) {
  const bundle = await rolldown({
    input: join(directory, entry),
    platform: 'node',
    // The thread needs at once what other programs load when they need it.
    checks: { ineffectiveDynamicImport: false },
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
  });
  await bundle.write({
    dir: output,
    format,
    // V8 cannot import from bytecode that was kept.
    dynamicImportInCjs: false,
    sourcemap: true,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
  });
}
