import { describe, expect, it } from 'vitest';
import { rightToDecide } from '../../console/src/screens/approvals/words.ts';
import { type Action, actionsOfRole, may, whyNot } from '../../console/src/session/rights.ts';
import { authorize, mayEver } from '../../src/access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../src/access/rights/principal.ts';
import { type AdministratorRole, administratorRoles } from '../../src/contracts/accounts/users.ts';
import { operations } from '../../src/gateway/api/operations/index.ts';

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

describe('who decides about a change that waits', () => {
  const waiting = operations.filter((operation) => operation.fourEyes === true);

  it.each(waiting.map((operation) => [operation.id, operation] as const))(
    'has the right that the gateway asks for: %s',
    (id, { authentication, approverAction }) => {
      const own = (authentication as { readonly action?: Action }).action;
      const proposed = { operation: id, proposed_by: 'ada' };
      expect(rightToDecide(proposed, 'bob')).toBe(approverAction ?? own);
      expect(rightToDecide(proposed, 'ada')).toBe(own);
    },
  );
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
