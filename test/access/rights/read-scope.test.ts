import fc from 'fast-check';
import { expect, test } from 'vitest';
import { authorize } from '../../../src/access/rights/authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from '../../../src/access/rights/principal.ts';
import { readScope } from '../../../src/access/rights/read-scope.ts';
import type { AdministratorRole } from '../../../src/contracts/accounts/users.ts';
import { isWithin } from '../../../src/contracts/fields/identifiers.ts';

const owners = ['acme', 'acme:one', 'acme:two', 'other', 'other:one'] as const;
const life = { tokenId: '', expiresAtMs: 0 };
const administrator = fc.record({
  roles: fc.subarray<AdministratorRole>(['viewer', 'finance', 'auditor']).map((roles) => new Set(roles)),
  owners: fc.oneof(fc.constant(['*']), fc.subarray<string>([...owners])).map((named) => new Set(named)),
});
const brands = fc.option(fc.subarray(['acme:one', 'acme:two']).map((paths) => new Set(paths)));
const principal = fc.oneof(
  administrator.map(
    (rights): AdministratorPrincipal => ({ kind: 'administrator', subject: 'a', ...rights, ...life }),
  ),
  brands.map(
    (own): ServicePrincipal => ({ kind: 'service', subject: 's', operator: 'acme', brands: own, ...life }),
  ),
);

test('a scope leaves out nothing that the caller may read, and is whole only where it may read all of it', () => {
  fc.assert(
    fc.property(principal, fc.option(fc.constantFrom(...owners), { nil: undefined }), (caller, filter) => {
      const { group, isWhole } = readScope(caller, filter);
      const inside = owners.filter((owner) => group === null || isWithin(owner, group));
      const readable = owners.filter(
        (owner) =>
          authorize(caller, 'read', owner) === 'allowed' && (filter === undefined || isWithin(owner, filter)),
      );
      expect(inside).toEqual(expect.arrayContaining(readable));
      if (isWhole) expect(readable).toEqual(inside);
    }),
  );
});
