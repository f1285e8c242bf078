import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateFeeds } from '../../sdk/scripts/generate.mjs';
import { asyncApi } from '../../src/reference/asyncapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: any JSON.
let document: any;
beforeAll(() => {
  document = JSON.parse(JSON.stringify(asyncApi('1.0.0')));
});

describe('the types of the client for pages', () => {
  it('are those of the AsyncAPI document; else run: npm run sdk:generate', async () => {
    const written = readFileSync(join(import.meta.dirname, '../../client/src/feed/generated.ts'), 'utf8');
    // Not as two texts, whose difference would fill pages.
    expect((await generateFeeds(document)) === written).toBe(true);
  });

  it('follow the document, decimals as strings', async () => {
    document.components.messages.WinEvent.payload.properties.data.properties.new_amount = { type: 'number' };
    const changed = await generateFeeds(document);
    expect(changed).toContain('new_amount?: string');
    expect(changed).toContain('"data.new_amount"');
  });
});
