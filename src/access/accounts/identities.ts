import { createHash } from 'node:crypto';
import type { Clock } from '../../ports.ts';
import { onlyOperatorOf } from '../rights/authorize.ts';
import type { AccountIdentity, AdministratorAccount } from './account-entries.ts';
import type { AccountStore } from './account-store.ts';

/**
 * Which account a subject of an operator's identity provider names. The account says so itself, in the write
 * that says who gave it; an entry of the subject, written before, lets no second account have it
 * (docs/decisions/0501).
 */
export interface Identities {
  /** The account that has it, whether or not it may log in by it (`logsInBy`). */
  find(operator: string, identity: AccountIdentity): AdministratorAccount | null;
  /** Reserves the subject for the account; false: another one has it. @throws LogError */
  reserve(operator: string, identity: AccountIdentity, username: string): Promise<boolean>;
  /** The account does not have it any more. @throws LogError */
  release(operator: string, identity: AccountIdentity, username: string): Promise<void>;
}

/** A subject whose account does not have it after this time is free: its writer broke off. */
const reservedMs = 60_000;

/** Identities in the account store. */
export function createIdentities(accounts: AccountStore, clock: Clock): Identities {
  return {
    find(operator, identity) {
      const entry = accounts.find('identity', nameOf(operator, identity));
      const account = entry && accounts.find('administrator', entry.username);
      return account !== undefined && hasIdentity(account, identity) ? account : null;
    },
    async reserve(operator, identity, username) {
      const name = nameOf(operator, identity);
      const present = await accounts.read('identity', name);
      const mine = { username, created: clock.nowMs() };
      if (present === null) return accounts.create('identity', name, mine);
      const { username: other, created } = present.value;
      if (other !== username) {
        const holder = await accounts.read('administrator', other);
        const isOpen = clock.nowMs() - created < reservedMs;
        if (isOpen || (holder !== null && hasIdentity(holder.value, identity))) return false;
      }
      return accounts.replace('identity', name, mine, present.revision);
    },
    async release(operator, identity, username) {
      const name = nameOf(operator, identity);
      const present = await accounts.read('identity', name);
      if (present?.value.username === username) await accounts.remove('identity', name);
    },
  };
}

/** Whether the account is known as this one, and not as another. */
export function hasIdentity({ identity }: AdministratorAccount, asked: AccountIdentity): boolean {
  return identity?.issuer === asked.issuer && identity.subject === asked.subject;
}

/** Whether the provider of that operator may say who the account is: of another one it may not. */
export function logsInBy({ enabled, owners }: AdministratorAccount, operator: string): boolean {
  return enabled && onlyOperatorOf(owners) === operator;
}

/** An issuer may serve several operators: each has its own accounts. */
function nameOf(operator: string, { issuer, subject }: AccountIdentity): string {
  const text = JSON.stringify([operator, issuer, subject]);
  return createHash('sha256').update(text, 'utf8').digest('base64url');
}
