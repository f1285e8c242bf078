import { describe, expect, it } from 'vitest';
import { actionsOfRole, may, whyNot } from '../../console/src/session/rights.ts';
import { authorize, mayEver } from '../../src/access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../src/access/rights/principal.ts';
import { type AdministratorRole, administratorRoles } from '../../src/contracts/accounts/users.ts';

const actions = [...new Set(Object.values(actionsOfRole).flat())];
const every = [...actions, 'contribute', 'sign', 'report'] as const;
const person = (roles: readonly AdministratorRole[]): AdministratorPrincipal => ({
  kind: 'administrator',
  subject: 'ada',
  roles: new Set(roles),
  owners: new Set(['acme']),
  tokenId: 't',
  expiresAtMs: 1,
});

describe('what the console lets a person do', () => {
  it('knows every role', () => {
    expect(Object.keys(actionsOfRole).toSorted()).toEqual([...administratorRoles].toSorted());
  });

  it.each(administratorRoles)('is what the gateway allows: %s', (role) => {
    const allowed = every.filter((action) => authorize(person([role]), action, 'acme') === 'allowed');
    expect(every.filter((action) => may({ roles: [role] }, action as never))).toEqual(allowed);
    expect(every.filter((action) => mayEver(person([role]), action))).toEqual(allowed);
  });

  it('is the sum of several roles', () => {
    const roles = ['viewer', 'finance'] as const;
    for (const action of every)
      expect([action, may({ roles }, action as never)]).toEqual([
        action,
        authorize(person(roles), action, 'acme') === 'allowed',
      ]);
  });

  it('says which role it needs, where a person has none of them', () => {
    expect(whyNot({ roles: ['viewer'] }, 'move_money')).toBe('This needs the role finance; you have viewer.');
    expect(whyNot({ roles: ['viewer', 'finance'] }, 'move_money')).toBeNull();
    expect(may({ roles: ['of a later release'] }, 'read')).toBe(false);
  });
});
