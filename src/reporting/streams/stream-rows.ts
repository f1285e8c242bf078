import type { AuditEntry } from '../../audit/entry.ts';
import { scanned } from '../../audit/scan.ts';
import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { decodeCallbackTries, decodeWalletTries } from '../../contracts/payments/tries.ts';
import type { Json } from '../../lib/canonical-json.ts';
import type { StoredAudit } from '../../ports.ts';
import type { StreamBatch } from '../base/lane-batch.ts';
import type { SideStream } from '../base/side-tables.ts';
import type { RowOf } from '../base/tables.ts';

/** The rows that messages of a stream bring. What cannot be read, or was relayed, brings none. */
export function streamRows(stream: SideStream, messages: readonly StoredAudit[]): StreamBatch['rows'] {
  const own = messages.filter(({ relayed }) => !relayed);
  if (stream === 'AUDIT') return { audit: own.flatMap(auditRows) };
  return { wallet_tries: own.flatMap(walletTryRows), callback_tries: own.flatMap(callbackTryRows) };
}

function walletTryRows({ bytes }: StoredAudit): RowOf<'wallet_tries'>[] {
  const reported = decodeWalletTries(bytes);
  if (reported === null) return [];
  const { process } = reported;
  return reported.tries.map((tried) => ({ ...tried, process, operator: operatorOf(tried.brand) }));
}

function callbackTryRows({ bytes }: StoredAudit): RowOf<'callback_tries'>[] {
  const reported = decodeCallbackTries(bytes);
  if (reported === null) return [];
  const { process } = reported;
  return reported.tries.map((tried) => ({ ...tried, process, operator: operatorOf(tried.owner) }));
}

function auditRows(message: StoredAudit): RowOf<'audit'>[] {
  const { sequence, entries } = scanned(message);
  return entries.map((entry, part) => auditRow(entry, sequence, part));
}

/** Without the caller's address and what was sent: the trail has both. */
function auditRow(entry: AuditEntry, sequence: number, part: number): RowOf<'audit'> {
  const { id, kind, timestamp: time, request_id, operation, method, path, owners, reason } = entry;
  return {
    ...{ sequence, part, time, id, kind, request_id, operation, method },
    path: path.split('?', 1)[0] ?? '',
    user_name: entry.user,
    owners: [...owners],
    reason,
    approval_id: entry.approval?.id ?? null,
    approved_by: entry.approval?.approved_by ?? null,
    outcome: entry.outcome ?? null,
    status: entry.status ?? null,
    code: entry.code ?? null,
    changes: entry.changes === undefined ? null : withoutPersons(entry.changes as unknown as Json),
  };
}

/** Members that say who a player is, or may: the trail has them. */
const ofPersons: ReadonlySet<string> = new Set([
  ...['player', 'players', 'player_id', 'player_ids', 'metadata', 'event_metadata', 'eventMetadata'],
]);

function withoutPersons(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutPersons);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, ofPersons.has(name) ? '***' : withoutPersons(each)]),
  );
}
