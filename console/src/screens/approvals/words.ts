import type { Action } from '../../session/rights.ts';

interface Proposed {
  readonly proposed_by: string;
}

interface Operation {
  readonly operation: string;
}

/** Why the person may not approve, whatever the roles; null: they may try. */
export function whyNotApprove({ proposed_by }: Proposed, username: string): string | null {
  return proposed_by === username ? 'You proposed this: another administrator has to approve it.' : null;
}

interface Operator {
  readonly id: string;
  readonly four_eyes: { readonly enabled: boolean };
}

const maxListed = 5;

/** Of whom changes wait for nobody, and how that is changed; null: the rule is on for all. */
export function whereOff(operators: readonly Operator[]): string | null {
  const off = operators.filter(({ four_eyes }) => !four_eyes.enabled).map(({ id }) => id);
  const [first] = off;
  if (first === undefined) return null;
  const listed = off.slice(0, maxListed).join(', ');
  const names = off.length > maxListed ? `${listed} and ${off.length - maxListed} more` : listed;
  return `Changes take effect at once: the rule of two persons is off for ${names}. It is switched on with PATCH /config/operators/${first} and {"four_eyes": {"enabled": true}}.`;
}

/** Which right it takes to decide: that to the operation itself. A test compares all of them with the gateway's. */
export function rightToDecide({ operation, proposed_by }: Proposed & Operation, username: string): Action {
  // Everybody may enrol a factor, and withdraw that.
  if (operation === 'second-factors.enrol' && proposed_by === username) return 'read';
  return rights.find(([operations]) => operations.test(operation))?.[1] ?? 'configure';
}

const rights: readonly (readonly [operations: RegExp, right: Action])[] = [
  [
    /^(users|service-users|second-factors|identity-providers|identities|wallet|webhook-origins|players)\./,
    'secure',
  ],
  [/^(rates|settlements|deliveries)\.|^A(22|29|30|35|36|37)$/, 'move_money'],
  [/^(instances\.status|A23)$/, 'operate'],
  [/^A(24|25|34)$/, 'opt_in'],
];

type Members = Readonly<Record<string, unknown>>;

interface Difference {
  readonly name: string;
  /** undefined: nothing says what it is now. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What a proposed body changes of what its path is about, member by member; null: the body has no members. */
export function differencesOf(
  path: string,
  body: unknown,
  now: Members | null,
): readonly Difference[] | null {
  if (!isObject(body)) return null;
  const [, adjusted] = /\/(current-value|seed-value|surplus-seed)$/.exec(path) ?? [];
  return Object.entries(body).map(([name, after]) => {
    if (name !== 'adjustment' || adjusted === undefined) return { name, before: now?.[name], after };
    const value = adjusted.replace('-', '_');
    return { name: value, before: now?.[value], after: `changed by ${after}` };
  });
}

/** The instance, and the pot of it, that a path is about. */
export function instanceOf(path: string): { readonly id: string; readonly pot: string | null } | null {
  const [, id, pot] = /^\/config\/instances\/([^/?]+)(?:\/pots\/([^/?]+))?/.exec(path) ?? [];
  if (id === undefined) return null;
  return { id: decodeURIComponent(id), pot: pot === undefined ? null : decodeURIComponent(pot) };
}

/** What of an instance the members of a body are compared with. */
export function comparedWith(instance: Members, pot: string | null): Members | null {
  if (pot === null) return instance;
  const pots = Array.isArray(instance.pots) ? instance.pots : [];
  return pots.filter(isObject).find(({ id }) => id === pot) ?? null;
}

/** The template that a proposed body names; null: it names none. */
export function templateOf(body: unknown): { readonly owner: string; readonly id: string } | null {
  const { template_owner_id: owner, template_id: id } = isObject(body) ? body : {};
  return typeof owner === 'string' && typeof id === 'string' ? { owner, id } : null;
}

/** With which version it was proposed, and whether it is made of that; null: what it is now is not known. */
export function templateText(
  proposed: number,
  now: { readonly version: number; readonly retired: boolean } | null,
): string {
  const ends = 'approving this is refused.';
  if (now === null) return `version ${proposed}`;
  if (now.retired) return `version ${proposed}. It is retired: ${ends}`;
  return now.version === proposed
    ? `version ${proposed}, as it is now`
    : `version ${proposed}. It has changed meanwhile to version ${now.version}: ${ends} Reject it, and have it proposed again.`;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
