// Checks the types of the console against those of the OpenAPI document that this code serves, which it writes to
// console/src/api/generated.ts for the compiler and for editors. The build of the console needs no types.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, setUpProgram } from './set-up.mjs';

await setUpProgram();
const { documentsOf } = await import('../dist/src/reference/documents.js');
const { operations } = await import('../dist/src/gateway/api/operations/index.js');
const { generateConsole } = await import('../sdk/scripts/generate.mjs');
const { openApi } = JSON.parse(JSON.stringify(documentsOf(operations)));
writeFileSync(join(root, 'console/src/api/generated.ts'), await generateConsole(openApi));
process.exitCode = run(process.execPath, [
  join(root, 'node_modules/typescript/bin/tsc'),
  '-p',
  'console',
  '--noEmit',
]);
