import type { AdministratorRole } from '../../contracts/accounts/users.ts';
import type { AdministratorAccount, Authored } from './account-entries.ts';
import type { AccountStore } from './account-store.ts';

/** On whose word an account is created or changed. */
export interface Author {
  readonly by: string;
  /** Absent: no second administrator agreed. */
  readonly approval?: { readonly id: string; readonly approvedBy: string };
  /** Called with what is stored, before it is written over; what it throws refuses the change. */
  readonly check?: (present: object, revision: number) => Promise<void>;
}

/** How long the makers of an account count as the same person (docs/rules/approvals.md "Accounts"). */
const dependenceMs = 30 * 86_400_000;
/** Makers kept of an account; the oldest go first. */
const maxAuthors = 100;
/** An account with more makers than this is not taken for another person's. */
const maxMakers = 1_000;
/** Accounts among which two independent ones are looked for. */
const maxCandidates = 200;

/**
 * The members of an account that say who made it able to do what it does, after a change that gives it
 * more. The user who sets the password of an approved change is the last one to know it: what others did
 * before no longer counts.
 */
export function authored(
  present: Authored,
  { by, approval }: Author,
  { nowMs, setsPassword }: { readonly nowMs: number; readonly setsPassword: boolean },
): Authored {
  const recent = (present.made_by ?? []).filter(({ at }) => at > nowMs - dependenceMs);
  if (approval !== undefined) {
    const approved = { id: approval.id, proposed_by: by, approved_by: approval.approvedBy, at: nowMs };
    return { made_by: setsPassword ? [] : recent, approved };
  }
  const others = recent.filter((author) => author.by !== by);
  return { made_by: [...others, { by, at: nowMs }].slice(-maxAuthors) };
}

type Read = (username: string) => Promise<Authored | undefined>;

/**
 * Whether neither gave the other its rights in the last 30 days without an approval, not even through
 * accounts in between. @throws LogError
 */
export async function areIndependent(
  accounts: Pick<AccountStore, 'read'>,
  one: string,
  other: string,
  nowMs: number,
): Promise<boolean> {
  const read: Read = async (username) => (await accounts.read('administrator', username))?.value;
  return areApart(await originOf(one, read, nowMs), await originOf(other, read, nowMs));
}

/** Whether two enabled administrators with the role for the whole operator are independent of each other. */
export async function hasIndependentPair(
  accounts: Pick<AccountStore, 'find' | 'list'>,
  operator: string,
  role: AdministratorRole,
  nowMs: number,
): Promise<boolean> {
  const may = ({ enabled, roles, owners }: AdministratorAccount) =>
    enabled && roles.includes(role) && (owners.includes('*') || owners.includes(operator));
  const read: Read = async (username) => accounts.find('administrator', username);
  const candidates = accounts.list('administrator').filter(may).slice(0, maxCandidates);
  const origins = await Promise.all(candidates.map(({ username }) => originOf(username, read, nowMs)));
  return origins.some((one, at) => origins.slice(at + 1).some((other) => areApart(one, other)));
}

/** Whether one of the others is independent of the account. */
export async function isIndependentOfAny(
  accounts: Pick<AccountStore, 'find'>,
  username: string,
  others: readonly AdministratorAccount[],
  nowMs: number,
): Promise<boolean> {
  const read: Read = async (name) => accounts.find('administrator', name);
  const own = await originOf(username, read, nowMs);
  for (const other of others) if (areApart(own, await originOf(other.username, read, nowMs))) return true;
  return false;
}

interface Origin {
  readonly username: string;
  /** The account itself, its makers and theirs; null: too many to say. */
  readonly makers: ReadonlySet<string> | null;
}

async function originOf(username: string, read: Read, nowMs: number): Promise<Origin> {
  const makers = new Set([username]);
  for (const maker of makers) {
    if (makers.size > maxMakers) return { username, makers: null };
    const { made_by = [] } = (await read(maker)) ?? {};
    for (const { by, at } of made_by) if (at > nowMs - dependenceMs) makers.add(by);
  }
  return { username, makers };
}

function areApart(one: Origin, other: Origin): boolean {
  return isNotBehind(one, other) && isNotBehind(other, one);
}

function isNotBehind({ username }: Origin, { makers }: Origin): boolean {
  return makers !== null && !makers.has(username);
}
