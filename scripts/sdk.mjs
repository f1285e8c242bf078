// `npm run sdk:generate`: writes the generated files of the SDK and of the client for players' screens again, from the
// OpenAPI and the AsyncAPI document that this code serves.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, setUpProgram } from './set-up.mjs';

await setUpProgram();
const { documentsOf } = await import('../dist/src/reference/documents.js');
const { operations } = await import('../dist/src/gateway/api/operations/index.js');
const { generate, generateFeeds } = await import('../sdk/scripts/generate.mjs');
const { openApi: document, asyncApi } = JSON.parse(JSON.stringify(documentsOf(operations)));
for (const [name, text] of Object.entries(await generate(document, asyncApi)))
  writeFileSync(join(root, 'sdk/src/generated', name), text);
writeFileSync(join(root, 'client/src/feed/generated.ts'), await generateFeeds(asyncApi));
