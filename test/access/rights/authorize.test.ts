import { describe, expect, test } from 'vitest';
import { type Action, authorize, type Permission, system } from '../../../src/access/rights/authorize.ts';
import {
  type AdministratorPrincipal,
  anonymous,
  type ServicePrincipal,
} from '../../../src/access/rights/principal.ts';
import type { AdministratorRole } from '../../../src/contracts/accounts/users.ts';

const administrator = (
  roles: readonly AdministratorRole[],
  owners: readonly string[],
): AdministratorPrincipal => ({
  kind: 'administrator',
  subject: 'a',
  roles: new Set(roles),
  owners: new Set(owners),
  tokenId: 't',
  expiresAtMs: 0,
});
const service = (brands: readonly string[] | null): ServicePrincipal => ({
  kind: 'service',
  subject: 's',
  operator: 'acme',
  brands: brands === null ? null : new Set(brands),
  tokenId: 't',
  expiresAtMs: 0,
});

describe('a service', () => {
  test.each([
    [null, 'contribute', 'acme:main', 'allowed'],
    [null, 'contribute', 'acme', 'allowed'],
    [['acme:main'], 'contribute', 'acme:main', 'allowed'],
    [['acme:main'], 'contribute', 'acme:second', 'forbidden'],
    [['acme:main'], 'contribute', 'acme', 'allowed'],
    [null, 'contribute', 'rival:main', 'foreign'],
    [null, 'contribute', 'acmeX:main', 'foreign'],
    [null, 'configure', 'acme', 'forbidden'],
    [null, 'move_money', 'acme', 'forbidden'],
  ] as const)('with brands %j may %s at %s: %s', (brands, action, owner, decision) => {
    expect(authorize(service(brands), action, owner)).toBe(decision);
  });
});

describe('an administrator', () => {
  test.each<[AdministratorRole[], string[], Action, string, Permission]>([
    [['viewer'], ['acme'], 'read', 'acme', 'allowed'],
    [['viewer'], ['acme'], 'read', 'acme:main', 'allowed'],
    [['viewer'], ['acme:main'], 'read', 'acme:main', 'allowed'],
    [['viewer'], ['acme:main'], 'read', 'acme', 'foreign'],
    [['viewer'], ['acme:main'], 'read', 'acme:second', 'foreign'],
    [['viewer'], ['acme'], 'read', 'rival', 'foreign'],
    [['viewer'], ['*'], 'read', 'rival', 'allowed'],
    [['viewer'], ['*'], 'read', system, 'allowed'],
    [['viewer'], ['acme'], 'read', system, 'foreign'],
    [['viewer'], ['*'], 'configure', 'acme', 'forbidden'],
    [['config'], ['*'], 'configure', 'acme', 'allowed'],
    [['config'], ['*'], 'move_money', 'acme', 'forbidden'],
    [['finance'], ['*'], 'decrease_pot', 'acme', 'allowed'],
    [['config', 'security'], ['acme'], 'secure', 'acme', 'allowed'],
    [[], ['*'], 'read', 'acme', 'forbidden'],
  ])('with %j over %j may %s at %s: %s', (roles, owners, action, owner, decision) => {
    expect(authorize(administrator(roles, owners), action, owner)).toBe(decision);
  });
});

test('nobody in particular may read and nothing else', () => {
  expect(authorize(anonymous, 'read', 'acme')).toBe('allowed');
  expect(authorize(anonymous, 'contribute', 'acme')).toBe('forbidden');
});
