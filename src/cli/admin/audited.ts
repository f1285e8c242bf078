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
  const before = await administratorOf(table, username);
  const object = `administrator ${username}`;
  const owners = before === null || before.owners.includes(everyOwner) ? [''] : before.owners;
  const change = { operation, object, owners, reason: null, input: { username } };
  return recorded(await audit(), change, work, async (result) => {
    if (result !== 'done') return { outcome: 'refused', code: result };
    const shown = (account: unknown) => withoutSecrets(accountShapes.administrator, account) ?? null;
    const after = await administratorOf(table, username);
    return {
      outcome: 'applied',
      code: null,
      changes: [{ object, before: shown(before), after: shown(after) }],
    };
  });
}

/** The account as it is stored; null: there is none. @throws LogError on outages */
export async function administratorOf(table: Table, username: string): Promise<AdministratorAccount | null> {
  const entry = await table.get(accountKey('administrator', username));
  return entry === null ? null : decodeAccount('administrator', entry.value);
}
