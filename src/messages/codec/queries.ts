import {
  type LaneQuery,
  type LaneQueryAnswer,
  type LaneQueryRequest,
  type TicketField,
  ticketFields,
} from '../queries.ts';
import type { BindingList, EpochRecord, InstanceDescription, LiveValues, WinnerRecord } from '../records.ts';
import { createInstanceLayout, transferRule } from './commands.ts';
import {
  atoms,
  bytes,
  document,
  flag,
  type Layout,
  list,
  nullable,
  number,
  record,
  since,
  text,
  trailing,
  tuple,
  union,
  variant,
  word,
} from './layout.ts';
import {
  binding,
  instanceDescription,
  liveValuesLayout,
  optInStatus,
  packedInstance,
  rowError,
  ticketRecordLayout,
} from './outcomes.ts';
import {
  creditRecord,
  creditState,
  debitRecord,
  flushRecord,
  settlementField,
  settlementFilter,
  settlementRecord,
} from './settlements.ts';

const sortDirection: Layout<1 | -1> = {
  pack: (direction) => direction,
  unpack: (raw) => (raw === -1 ? -1 : 1),
};

const query: Layout<LaneQuery> = union<LaneQuery>({
  state: [1, variant('state', { offset: number })],
  instances: [2, variant('instances', { ids: list(text), packed: trailing(flag) })],
  opt_in_status: [3, variant('opt_in_status', { instance: text, brand: text, player: text })],
  opt_ins: [
    4,
    variant('opt_ins', {
      instance: text,
      optedIn: nullable(flag),
      offset: number,
      limit: number,
      owners: since(list(text), []),
    }),
  ],
  player_opt_ins: [
    5,
    variant('player_opt_ins', { brand: text, player: text, offset: number, limit: number }),
  ],
  winners: [6, variant('winners', { instance: text, pot: text, brand: text, limit: number })],
  accounts: [7, variant('accounts', { instance: text })],
  check_configuration: [8, variant('check_configuration', { configuration: document<unknown>() })],
  directory: [9, variant('directory', { revision: number })],
  epochs: [10, variant('epochs', { instance: text, after: since(number, -1) })],
  idempotency_key: [20, variant('idempotency_key', { key: bytes, brand: since(text, '') })],
  open_debits: [60, variant('open_debits', { after: number, limit: number })],
  open_credits: [
    61,
    variant('open_credits', { after: number, limit: number, states: list(creditState), batch: text }),
  ],
  open_credit: [62, variant('open_credit', { transactionId: text })],
  open_flushes: [63, variant('open_flushes', { offset: number, limit: number })],
  pending_answer: [64, variant('pending_answer', { sequence: number, index: number })],
  open_settlement: [67, variant('open_settlement', { transactionId: text })],
  settlement_rows: [
    68,
    variant('settlement_rows', {
      book: word('debits', 'credits'),
      after: number,
      nowMs: number,
      field: settlementField,
      direction: sortDirection,
      bound: nullable(atoms),
      filter: settlementFilter,
    }),
  ],
  settlement_records: [69, variant('settlement_records', { numbers: list(number) })],
  rebuilt_outcome: [71, variant('rebuilt_outcome', { sequence: number, offset: number })],
  tickets: [
    40,
    variant('tickets', {
      instance: text,
      brand: text,
      player: text,
      newestFirst: flag,
      offset: number,
      limit: number,
    }),
  ],
  player_tickets: [
    41,
    variant('player_tickets', { brand: text, player: text, limit: number, offset: since(number, 0) }),
  ],
  // 44 and 45 were columns of tickets and their records.
  ticket_page: [
    46,
    variant('ticket_page', {
      instance: text,
      owners: list(text),
      field: word<TicketField>(...ticketFields),
      direction: sortDirection,
      offset: number,
      limit: number,
    }),
  ],
  switch_preview: [
    42,
    variant('switch_preview', {
      instance: text,
      target: createInstanceLayout,
      rules: list(transferRule),
      override: flag,
    }),
  ],
  bulk_opt_in: [43, variant('bulk_opt_in', { job: text, offset: number })],
});

export const queryRequest = record<LaneQueryRequest>({ minSequence: number, query });

type KeyPosition = { readonly sequence: number; readonly index: number };
type DescribedInstance = { readonly description: InstanceDescription; readonly liveValues: LiveValues };

const bindingList = record<BindingList>({
  of: word('source', 'segment'),
  owner: text,
  id: text,
  bindings: list(binding),
});

const winner = record<WinnerRecord>({
  pot: text,
  amountAtoms: atoms,
  currency: text,
  brand: text,
  player: text,
  timestampMs: number,
  sequence: number,
  withheld: flag,
  place: since(number, 0),
});

const epoch = record<EpochRecord>({
  epoch: number,
  commit: bytes,
  beacon: bytes,
  state: word('committed', 'running', 'ended', 'revealed'),
  header: text,
  firstSequence: number,
  lastSequence: number,
  firstMessage: number,
  lastMessage: number,
  seed: nullable(bytes),
  dueMs: trailing(number),
});

export const queryAnswer: Layout<LaneQueryAnswer> = union<LaneQueryAnswer>({
  state: [
    1,
    variant('state', {
      sequence: number,
      total: number,
      next: number,
      instances: list(
        record<DescribedInstance>({ description: instanceDescription, liveValues: liveValuesLayout }),
      ),
      bindings: list(bindingList),
    }),
  ],
  instances: [
    2,
    variant('instances', { sequence: number, answered: number, instances: list(instanceDescription) }),
  ],
  packed_instances: [
    11,
    variant('packed_instances', {
      sequence: number,
      answered: number,
      configurations: list(bytes),
      instances: list(packedInstance),
    }),
  ],
  opt_in_status: [3, variant('opt_in_status', { status: optInStatus })],
  opt_ins: [4, variant('opt_ins', { statuses: list(optInStatus), more: flag })],
  winners: [5, variant('winners', { winners: list(winner) })],
  accounts: [
    6,
    variant('accounts', {
      currency: text,
      accounts: list(tuple<readonly [string, bigint]>(text, atoms)),
      head: bytes,
      sequence: number,
    }),
  ],
  check_configuration: [7, variant('check_configuration', { faults: list(text), warnings: list(text) })],
  directory: [8, variant('directory', { revision: number })],
  epochs: [9, variant('epochs', { epochs: list(epoch), more: since(flag, false) })],
  tickets: [40, variant('tickets', { tickets: list(ticketRecordLayout), more: since(flag, false) })],
  // 44 was columns of tickets.
  switch_preview: [
    41,
    variant('switch_preview', { source: instanceDescription, target: instanceDescription }),
  ],
  bulk_opt_in: [42, variant('bulk_opt_in', { remaining: number, errors: list(rowError) })],
  refused: [10, variant('refused', { code: text, message: text })],
  open_debits: [60, variant('open_debits', { debits: list(debitRecord) })],
  open_credits: [61, variant('open_credits', { credits: list(creditRecord) })],
  open_flushes: [62, variant('open_flushes', { flushes: list(flushRecord) })],
  settlements: [67, variant('settlements', { settlements: list(settlementRecord), more: flag })],
  settlement_rows: [
    68,
    variant('settlement_rows', { numbers: list(number), values: list(atoms), next: nullable(number) }),
  ],
  pending_answer: [
    63,
    variant('pending_answer', {
      position: nullable(record<KeyPosition>({ sequence: number, index: number })),
      open: flag,
    }),
  ],
  rebuilt_outcome: [71, variant('rebuilt_outcome', { part: nullable(bytes), totalBytes: number })],
  idempotency_key: [
    20,
    variant('idempotency_key', {
      position: nullable(record<KeyPosition>({ sequence: number, index: number })),
      ofBrands: since(flag, false),
    }),
  ],
});
