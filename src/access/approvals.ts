import { createHash } from 'node:crypto';
import * as z from 'zod';
import { operatorOf } from '../contracts/fields/identifiers.ts';
import { SortedMap } from '../lib/sorted/sorted-map.ts';
import type { Clock, Table } from '../ports.ts';
import { entryTurns, untilWon } from './accounts/table-turns.ts';
import type { Sealer } from './keys/seal.ts';

/** A change in KV APPROVALS; its sealed body may hold secrets (docs/rules/approvals.md "Execution"). */
const approval = z.object({
  v: z.literal(1),
  id: z.string(),
  /** The owner, whose administrators see it: an operator, a brand path, or empty for the system. */
  owner: z.string(),
  operation: z.string(),
  name: z.string(),
  method: z.string(),
  /** With its inputs in braces; their values are `params`. */
  path: z.string(),
  params: z.record(z.string(), z.string()),
  idempotency_key: z.string().nullable(),
  if_match: z.string().nullable(),
  /** Hash of the proposed bytes; absent in proposals of earlier releases. */
  media_type: z.enum(['application/json', 'text/csv']).default('application/json'),
  sealed: z.string(),
  sha256: z.string(),
  reason: z.string().nullable(),
  proposed_by: z.string(),
  address: z.string(),
  created: z.int(),
  expires: z.int(),
  /** `approved`: it is being executed. `refused`: the operation refused it then. */
  state: z.enum(['open', 'approved', 'executed', 'refused', 'rejected']),
  decided_by: z.string().nullable(),
  decided: z.int().nullable(),
  decision_reason: z.string().nullable(),
  /** How often the execution was begun, and until when no other process begins it. */
  attempts: z.int(),
  claimed_until: z.int(),
  /** Revisions and versions that were found first: what is written is stored only on top of them. */
  fences: z.record(z.string(), z.int()),
  result: z.object({ status: z.int(), code: z.string().nullable(), body: z.string().nullable() }).nullable(),
});

export type Approval = z.output<typeof approval>;
type NewApproval = Pick<
  Approval,
  | 'id'
  | 'owner'
  | 'operation'
  | 'name'
  | 'method'
  | 'path'
  | 'params'
  | 'idempotency_key'
  | 'if_match'
  | 'reason'
  | 'proposed_by'
  | 'address'
  | 'expires'
  | 'media_type'
  | 'fences'
>;

type ApprovalField = 'created_timestamp' | 'expires_timestamp';

/** What of an approval is in memory; the table has the others (docs/rules/approvals.md "What is kept"). */
export type ApprovalRow = Pick<
  Approval,
  'id' | 'owner' | 'state' | 'proposed_by' | 'created' | 'expires' | 'claimed_until'
>;

/** Approvals, followed in memory by their rows. */
export interface Approvals {
  /** Those of the last weeks of an operator with its brands, or of the system; longest unchanged first. */
  ofOperator(operator: string): Iterable<ApprovalRow>;
  /** Those that are being executed. */
  approved(): Iterable<ApprovalRow>;
  /** As it is in memory; undefined: it is not there. */
  find(id: string): ApprovalRow | undefined;
  /** In the orders of lists (docs/decisions/0207). Some older than the last weeks may still be there. */
  readonly sorted: SortedMap<ApprovalRow, ApprovalField>;
  /** Whether it belongs to the last weeks. */
  isRecent(approval: ApprovalRow): boolean;
  /** These as they are stored now, in order; removed ones are left out. @throws LogError on outages */
  readAll(rows: readonly ApprovalRow[]): Promise<Approval[]>;
  /** As it is stored now; null: there is none. @throws LogError on outages */
  read(id: string): Promise<Approval | null>;
  /** Stores a new one with the bytes of its body. False: the id is taken. @throws LogError on outages */
  create(proposed: NewApproval, body: Uint8Array): Promise<boolean>;
  /**
   * Changes the stored one with compare-and-set. `change` is given what is stored, and gives null to leave
   * it; it may throw. Returns what is stored then, or null if it left it or there is none.
   * @throws LogError on outages, AccountContention after eight lost races
   */
  change(id: string, change: (current: Approval) => Partial<Approval> | null): Promise<Approval | null>;
  /** The bytes that were proposed. @throws Error if this host's key does not open the seal */
  bytesOf(stored: Approval): Uint8Array;
  /** Calls the listener with each that was proposed or has changed, once it shows here. */
  onChange(listener: (row: ApprovalRow) => void): () => void;
  stop(): Promise<void>;
}

/** How long entries stay in memory; the table drops them a little later. */
const keptMs = 30 * 86_400_000;
/** Rows of an operator; beyond, those go that changed longest ago. */
export const maxRowsOfOperator = 10_000;
/** Entries of a list that are read at the same time. */
const readsAtOnce = 8;

/** SHA-256 of a body in hexadecimal, by which proposed and approved bytes are compared. */
export function bodyHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Follows KV APPROVALS; resolves when every present entry is read. @throws LogError on outages */
export async function openApprovals(
  table: Table,
  { sealer, clock }: { readonly sealer: Sealer; readonly clock: Clock },
): Promise<Approvals> {
  const known = sortedRows();
  const revisions = new Map<string, number>();
  const byOperator = new Map<string, Map<string, ApprovalRow>>();
  const executed = new Map<string, ApprovalRow>();
  const turns = entryTurns();
  const listeners = new Set<(row: ApprovalRow) => void>();
  const isRecent = ({ created }: ApprovalRow) => created >= clock.nowMs() - keptMs;
  const isOpen = ({ state, expires }: ApprovalRow) =>
    state === 'approved' || (state === 'open' && expires > clock.nowMs());

  function take(id: string, bytes: Uint8Array | null, revision: number): void {
    if ((revisions.get(id) ?? 0) >= revision) return;
    forget(id);
    const value = bytes === null ? null : decode(bytes);
    if (value === null || !isRecent(value)) return;
    const row = rowOf(value);
    known.set(id, row);
    revisions.set(id, revision);
    if (row.state === 'approved') executed.set(id, row);
    const operator = operatorOf(row.owner);
    const own = byOperator.get(operator) ?? new Map<string, ApprovalRow>();
    byOperator.set(operator, own.set(id, row));
    if (own.size > maxRowsOfOperator) forget(oldestOf(own));
    for (const listener of listeners) listener(row);
  }

  /** Nothing that is decided displaces what waits. */
  function oldestOf(rows: ReadonlyMap<string, ApprovalRow>): string {
    for (const [id, row] of rows) if (!isOpen(row)) return id;
    return rows.keys().next().value as string;
  }

  function forget(id: string): void {
    const row = known.get(id);
    if (row === undefined) return;
    known.delete(id);
    revisions.delete(id);
    executed.delete(id);
    const operator = operatorOf(row.owner);
    const own = byOperator.get(operator);
    own?.delete(id);
    if (own?.size === 0) byOperator.delete(operator);
  }

  async function read(id: string): Promise<Approval | null> {
    const stored = await table.get(id);
    return stored === null ? null : decode(stored.value);
  }

  const watch = await followed(table, take);
  return {
    *ofOperator(operator) {
      for (const [id, row] of byOperator.get(operator) ?? []) {
        if (isRecent(row)) yield row;
        else forget(id);
      }
    },
    approved: () => [...executed.values()],
    find(id) {
      const row = known.get(id);
      return row !== undefined && isRecent(row) ? row : undefined;
    },
    sorted: known,
    isRecent,
    async readAll(rows) {
      const found: (Approval | null)[] = [];
      for (let at = 0; at < rows.length; at += readsAtOnce)
        found.push(...(await Promise.all(rows.slice(at, at + readsAtOnce).map(({ id }) => read(id)))));
      return found.filter((each) => each !== null);
    },
    read,
    async create(proposed, body) {
      const value: Approval = {
        ...undecided,
        ...proposed,
        created: clock.nowMs(),
        sealed: sealer.seal(Buffer.from(body).toString('base64'), label(proposed.id)),
        sha256: bodyHash(body),
      };
      const bytes = encode(value);
      const revision = await table.put(value.id, bytes, 0);
      if (revision !== null) take(value.id, bytes, revision);
      return revision !== null;
    },
    change: (id, change) =>
      turns.run(id, () =>
        untilWon(async () => {
          const stored = await table.get(id);
          const current = stored === null ? null : decode(stored.value);
          const members = current === null ? null : change(current);
          if (stored === null || current === null || members === null) return null;
          const next = { ...current, ...members };
          const bytes = encode(next);
          const revision = await table.put(id, bytes, stored.revision);
          if (revision === null) return undefined;
          take(id, bytes, revision);
          return next;
        }),
      ),
    bytesOf: ({ id, sealed }) => Buffer.from(sealer.open(sealed, label(id)), 'base64'),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => watch.stop(),
  };
}

function rowOf({ id, owner, state, proposed_by, created, expires, claimed_until }: Approval): ApprovalRow {
  return { id, owner, state, proposed_by, created, expires, claimed_until };
}

function sortedRows(): SortedMap<ApprovalRow, ApprovalField> {
  return new SortedMap({
    fields: { created_timestamp: ({ created }) => created, expires_timestamp: ({ expires }) => expires },
    tie: ({ created, id }) => `${String(created).padStart(16, '0')} ${id}`,
    groups: ({ owner }) => [operatorOf(owner), owner],
  });
}

const undecided = {
  v: 1,
  state: 'open',
  decided_by: null,
  decided: null,
  decision_reason: null,
  attempts: 0,
  claimed_until: 0,
  result: null,
} as const;

async function followed(
  table: Table,
  entry: (id: string, bytes: Uint8Array | null, revision: number) => void,
): Promise<{ stop(): Promise<void> }> {
  let current = (): void => {};
  const isCurrent = new Promise<void>((resolve) => {
    current = resolve;
  });
  const watch = await table.watch({ entry, current });
  await isCurrent;
  return watch;
}

function label(id: string): string {
  return `approval.${id}`;
}

function encode(value: Approval): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** null for what this version does not read. */
function decode(bytes: Uint8Array): Approval | null {
  try {
    return approval.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return null;
  }
}
