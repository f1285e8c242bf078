import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorStatus } from '../../src/contracts/errors/codes.ts';
import { feeds } from '../../src/fanout/feeds/index.ts';
import { operations } from '../../src/gateway/api/operations/index.ts';
import { type Answer, startTestGateway, type TestGateway } from '../gateway/support/gateway.ts';

let gateway: TestGateway;
let openApi: Answer['json'];
let asyncApi: Answer['json'];
beforeAll(async () => {
  gateway = await startTestGateway();
  openApi = (await gateway.call('GET', '/v1/openapi.json')).json;
  asyncApi = (await gateway.call('GET', '/v1/asyncapi.json')).json;
});
afterAll(() => gateway.stop());

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(openApi));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(openApi.openapi).toBe('3.1.0');
  });

  it('describes every operation that is mounted, and nothing else but the probes', () => {
    const described = Object.entries<object>(openApi.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const mounted = operations.map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...mounted, 'GET /livez', 'GET /readyz'].sort());
  });

  it('has every input of the path as a parameter, a unique operationId, and a success', () => {
    const ids: string[] = [];
    for (const [path, item] of Object.entries<Record<string, Answer['json']>>(openApi.paths)) {
      for (const operation of Object.values(item)) {
        ids.push(operation.operationId);
        const inPath = (operation.parameters ?? []).filter((one: { in: string }) => one.in === 'path');
        expect(inPath.map(({ name }: { name: string }) => name).sort()).toEqual(
          [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name).sort(),
        );
        expect(Object.keys(operation.responses).some((status) => /^(2..|303)$/.test(status))).toBe(true);
      }
    }
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('says that a repeated key is answered with 204, and which bodies may be left out', () => {
    const trigger = openApi.paths['/config/instances/{instance_id}/pots/{pot_id}/trigger'].post;
    expect(Object.keys(trigger.responses)).toEqual(expect.arrayContaining(['200', '204']));
    expect(trigger.requestBody.required).toBe(true);
    const disallow = openApi.paths['/config/instances/{instance_id}/brands/{brand_id}'].delete;
    expect(disallow.requestBody.required).toBe(false);
  });

  it('lists every error code at its status', () => {
    const listed = Object.entries<Answer['json']>(openApi.components.schemas).flatMap(([, schema]) =>
      (schema.properties?.code?.enum ?? []).map((code: string) => [
        code,
        schema.properties.status_code.const,
      ]),
    );
    expect(Object.fromEntries(listed)).toEqual(errorStatus);
  });

  it('has schemas that compile', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const schema of schemasOf(openApi)) ajv.compile(schema);
  });

  it('says which decimal strings amounts, shares and multipliers take', () => {
    const ajv = new Ajv2020({ strict: false });
    const bodyOf = (path: string, method: string) =>
      ajv.compile(openApi.paths[path][method].requestBody.content['application/json'].schema);
    const rates = bodyOf('/config/currencies/{brand_id}', 'put');
    const limit = bodyOf('/config/operators/{operator_id}', 'patch');
    const template = bodyOf('/config/templates', 'post');
    const rules = (text: string) => ({
      contribution_type: { Fixed: text },
      operator_contribution_percentage: text,
      max_contribution: { max_contribution_value: text, cap_contribution_by_base_wager: text },
    });
    const members = { owner_id: 'acme', id: 't', name: 'T', jackpot_type: 'Jackpot', currency: 'EUR' };
    const pots = [{ id: 'gold', contribution: { Fixed: '1' } }];
    const taken = (text: string) => [
      rates({ multipliers: { USD: text } }),
      limit({ four_eyes: { enabled: true, limit: text } }),
      template({ ...members, contribution_rules: rules(text), pots }),
    ];
    for (const text of ['0', '1', '0.5', '12.50'])
      expect([text, taken(text)]).toEqual([text, [true, true, true]]);
    for (const text of ['', '-0', '1e5', '01', '.5', ' 1', '+1'])
      expect([text, taken(text)]).toEqual([text, [false, false, false]]);
    const none = { contribution_type: { Fixed: '1' }, max_contribution: rules('').max_contribution };
    expect(template({ ...members, contribution_rules: none, pots })).toBe(true);
  });

  it.each([
    ['If-Match', /\bexpectedVersion\(/],
    ['Idempotency-Key', /\bkeyOfHeader\(/],
    ['X-Player-Token', /\bfrontendOf\(/],
  ])('names %s where an operation reads it', (header, reader) => {
    const files = sourcesBelow(join(import.meta.dirname, '../../src/gateway/api/operations'));
    const readers = files.filter(([, text = '']) => reader.test(text.replace(/export function .*/g, '')));
    expect(readers.length).toBeGreaterThan(0);
    const naming = files.filter(([, text = '']) => new RegExp(`headers: \\[[^\\]]*'${header}'`).test(text));
    expect(naming.map(([file]) => file)).toEqual(readers.map(([file]) => file));
  });
});

describe('the rules', () => {
  it('list the changes that take no Idempotency-Key', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/rules/http.md'), 'utf8');
    const [, list = ''] = /\n### Changes without a key\n([\s\S]*?)\n## /.exec(page) ?? [];
    const listed = list.match(/\b[OA][0-9]+\b|(?<=`)(?:POST|PUT|PATCH|DELETE) [^`]+/g) ?? [];
    const names = operations
      .filter(
        ({ method, headers, limits }) =>
          method !== 'GET' && !headers?.includes('Idempotency-Key') && !limits?.stream,
      )
      .map(({ id, method, path }) => (/^[OA][0-9]+$/.test(id) ? id : `${method} ${path}`));
    expect(listed.toSorted()).toEqual([...new Set(names)].toSorted());
  });
});

describe('the AsyncAPI document', () => {
  it('is valid AsyncAPI 3', () => {
    const file = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json');
    const validate = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(
      JSON.parse(readFileSync(file, 'utf8')),
    );
    expect(validate(asyncApi)).toBe(true);
    expect(asyncApi.asyncapi).toBe('3.0.0');
  });

  it('has a channel for each feed, and its references lead somewhere', () => {
    const addresses = Object.values<{ address: string }>(asyncApi.channels).map(({ address }) => address);
    const paths = feeds.map(({ paths: [path = ''] }) => path.replace(/:([a-z_]+)/g, '{$1}'));
    expect(addresses.sort()).toEqual(paths.sort());
    for (const reference of JSON.stringify(asyncApi).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference[1]?.split('/').reduce((at, name) => at?.[name], asyncApi);
      expect([reference[1], target === undefined]).toEqual([reference[1], false]);
    }
  });
});

function schemasOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'schema' && typeof member === 'object' && !('$ref' in member) ? [member] : schemasOf(member),
  );
}

function sourcesBelow(folder: string): [file: string, text: string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
}
