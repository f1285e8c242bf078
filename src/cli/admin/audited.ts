import {
  type AdministratorAccount,
  accountKey,
  accountShapes,
  decodeAccount,
} from '../../access/accounts/account-entries.ts';
import { everyOwner } from '../../access/accounts/administrator-rights.ts';
import { AuditTrail } from '../../audit/trail.ts';
import type { Settings } from '../../config/settings.ts';
import { withoutSecrets } from '../../contracts/fields/secrets.ts';
import { connectAudit } from '../../log/jetstream/connect.ts';
import type { Table } from '../../ports.ts';
import { logSettings, openAccountsTable, systemClock, systemRandom } from '../../wiring.ts';
import { recorded } from '../system/audited.ts';

/** KV ACCOUNTS and the audit trail, as the commands of administrators reach them. */
interface AuditedAccounts {
  readonly table: Table;
  /** Opened where something is to be changed. */
  audit(): Promise<AuditTrail>;
}

/** Opens the accounts for one command, and closes what it has opened. @throws LogError */
export async function withAccounts<T>(
  settings: Settings,
  work: (accounts: AuditedAccounts) => Promise<T>,
): Promise<T> {
  const accounts = await openAccountsTable(settings, 'start');
  let trail: AuditTrail | null = null;
  const audit = async (): Promise<AuditTrail> => {
    const log = await connectAudit(logSettings(settings, 'start'));
    trail = new AuditTrail(log, { clock: systemClock, random: systemRandom });
    return trail;
  };
  try {
    return await work({ table: accounts.table, audit });
  } finally {
    await (trail as AuditTrail | null)?.stop();
    await accounts.close();
  }
}

/** Changes an administrator between two entries of the trail; only 'done' has changed anything. */
export async function auditedAccountChange<Refusal extends string>(
  { table, audit }: AuditedAccounts,
  { operation, username }: { readonly operation: string; readonly username: string },
  work: () => Promise<'done' | Refusal>,
): Promise<'done' | Refusal | 'audit_unavailable'> {
  const present = await administratorOf(table, username);
  const object = `administrator ${username}`;
  const owners = present === null || present.owners.includes(everyOwner) ? [''] : present.owners;
  const before = await shownOf(table, username);
  const change = { operation, object, owners, reason: null, input: { username } };
  return recorded(await audit(), change, work, async (result) => {
    if (result !== 'done') return { outcome: 'refused', code: result };
    const after = await shownOf(table, username);
    const changes = [
      { object, before: before.account, after: after.account },
      { object: `second factor of ${username}`, before: before.factor, after: after.factor },
    ];
    const isFactorSame = JSON.stringify(before.factor) === JSON.stringify(after.factor);
    return { outcome: 'applied', code: null, changes: isFactorSame ? changes.slice(0, 1) : changes };
  });
}

/** An account and its second factor without secrets. */
async function shownOf(table: Table, username: string) {
  const account = await administratorOf(table, username);
  const entry = await table.get(accountKey('factor', username));
  const factor = entry === null ? null : decodeAccount('factor', entry.value);
  return {
    account: withoutSecrets(accountShapes.administrator, account) ?? null,
    factor: factor === null ? null : { id: factor.id, created: factor.created },
  };
}

/** The account as it is stored; null: there is none. @throws LogError on outages */
export async function administratorOf(table: Table, username: string): Promise<AdministratorAccount | null> {
  const entry = await table.get(accountKey('administrator', username));
  return entry === null ? null : decodeAccount('administrator', entry.value);
}
