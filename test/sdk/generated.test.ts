import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from '../../sdk/scripts/generate.mjs';
import { type Answer, startTestGateway, type TestGateway } from '../gateway/support/gateway.ts';

const folder = join(import.meta.dirname, '../../sdk/src/generated');
let gateway: TestGateway;
let document: Answer['json'];
let feeds: Answer['json'];
beforeAll(async () => {
  gateway = await startTestGateway();
  document = (await gateway.call('GET', '/v1/openapi.json')).json;
  feeds = (await gateway.call('GET', '/v1/asyncapi.json')).json;
});
afterAll(() => gateway.stop());

describe('the generated files of the SDK', () => {
  it('are those of the served document; else run: npm run sdk:generate', async () => {
    const files = await generate(document, feeds);
    expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
    for (const [name, text] of Object.entries(files)) {
      // Not as two texts, whose difference would fill pages.
      expect([name, readFileSync(join(folder, name), 'utf8') === text]).toEqual([name, true]);
    }
  });

  it('follow the document', async () => {
    const changed = structuredClone(document);
    const { properties } =
      changed.paths['/v2/jackpot/contributions'].post.responses[200].content['application/json'].schema.items;
    properties.new_amount = { type: 'number' };
    const [before, after] = [await generate(document, feeds), await generate(changed, feeds)];
    expect(after['openapi.ts']).not.toBe(before['openapi.ts']);
    expect(after['openapi.ts']).toContain('new_amount?: string');
    expect(after['decimals.ts']).toContain('"*.new_amount"');
  });

  it('have what services may call, and nothing of administrators', async () => {
    const text = readFileSync(join(folder, 'openapi.ts'), 'utf8');
    const named = [...text.matchAll(/^ {4}"(\/[^"]+)": \{$/gm)].map(([, path]) => path);
    const ofServices = Object.entries<Answer['json']>(document.paths).filter(([, item]) =>
      Object.values<Answer['json']>(item).some(({ security }) =>
        security.some((one: object) => 'service' in one),
      ),
    );
    expect(ofServices.length).toBeGreaterThan(10);
    expect(named).toEqual(expect.arrayContaining(ofServices.map(([path]) => path)));
    expect(named.filter((path) => !path?.startsWith('/v'))).toEqual([]);
  });

  it('are refused of a document that has what the SDK cannot convert', async () => {
    const changed = structuredClone(document);
    const { content } = changed.paths['/v1/currencies'].get.responses[200];
    content['application/json'].schema.patternProperties = { '^x': { type: 'number' } };
    await expect(generate(changed, feeds)).rejects.toThrow('patternProperties');
  });
});
