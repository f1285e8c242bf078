import { describe, expect, it } from 'vitest';
import { operations } from '../../../../src/gateway/api/operations/index.ts';
import { documented, needed, open, openNeeds } from './support/documented.ts';

describe('the numbered operations', () => {
  const built = new Map<string, string[]>();
  for (const { id, method, path } of operations) {
    built.set(id, [...(built.get(id) ?? []), `${method} ${path}`]);
  }

  it('stand at the documented methods and paths', () => {
    for (const [id, routes] of built) {
      if (/^[OA][0-9]+$/.test(id))
        expect([id, [...routes].sort()]).toEqual([id, [...(documented[id] ?? [])].sort()]);
    }
  });

  it('are built, but for the ones named as open', () => {
    const missing = Object.keys(documented).filter((id) => !built.has(id));
    expect(missing).toEqual(open);
  });

  it('which they do not list are built, too, but for the ones named as open', () => {
    const routes = new Set(operations.map(({ method, path }) => `${method} ${path}`));
    const http = needed.filter((route) => !route.startsWith('WS '));
    expect(http.filter((route) => !routes.has(route))).toEqual(openNeeds);
  });

  it('have one operation each', () => {
    const routes = operations.map(({ method, path }) => `${method} ${path.replace(/\{[a-z_]+\}/g, '{}')}`);
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });
});
