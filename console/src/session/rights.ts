/** What a person may do, as `authorize` of src/access decides; a test compares the two. */
export type Action =
  | 'read'
  | 'configure'
  | 'operate'
  | 'opt_in'
  | 'move_money'
  | 'decrease_pot'
  | 'secure'
  | 'origins'
  | 'subscribe'
  | 'audit'
  | 'run';

export const actionsOfRole: Readonly<Record<string, readonly Action[]>> = {
  viewer: ['read'],
  support: ['read', 'opt_in'],
  config: ['read', 'configure', 'operate', 'opt_in'],
  finance: ['read', 'move_money', 'decrease_pot'],
  security: ['read', 'secure', 'origins', 'subscribe', 'audit'],
  auditor: ['read', 'audit'],
  operations: ['read', 'run'],
};

/** The same in words. */
export const rightsInWords: Readonly<Record<Action, string>> = {
  read: 'See jackpots, payments, players and reports',
  configure: 'Change templates, jackpots, operators and brands',
  operate: 'Start, pause and end jackpots',
  opt_in: 'Opt players in and out',
  move_money: 'Decide about payments and deliveries, set rates, adjust pots',
  decrease_pot: 'Take money out of a pot',
  secure: 'Manage users, wallets and webhook origins',
  origins: 'Change cross-origin rules',
  subscribe: 'Change webhook subscriptions',
  audit: 'Read the audit trail',
  run: 'Move lanes and drain hosts',
};

interface Person {
  readonly roles: readonly string[];
}

export function may({ roles }: Person, action: Action): boolean {
  return roles.some((role) => actionsOfRole[role]?.includes(action) === true);
}

/** Why not, in words; null: the person may. */
export function whyNot(person: Person, action: Action): string | null {
  if (may(person, action)) return null;
  const roles = Object.keys(actionsOfRole).filter((role) => actionsOfRole[role]?.includes(action));
  return `This needs the role ${roles.join(' or ')}; you have ${person.roles.join(', ')}.`;
}
