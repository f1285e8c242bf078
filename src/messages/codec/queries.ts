import type { PlacementOrder, PlacementView } from '../placement.ts';
import {
  type LaneQuery,
  type LaneQueryAnswer,
  type LaneQueryRequest,
  type TicketField,
  type TicketPagePlace,
  type TicketPosition,
  ticketFields,
} from '../queries.ts';
import type { BindingList, EpochRecord, InstanceDescription, LiveValues, WinnerRecord } from '../records.ts';
import { createInstanceLayout, transferRule } from './commands.ts';
import {
  at,
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

const ticketPosition = record<TicketPosition>({ value: text, row: number });

const query: Layout<LaneQuery> = union<LaneQuery>({
  state: at(1, { offset: number }),
  instances: at(2, { ids: list(text), packed: trailing(flag) }),
  opt_in_status: at(3, { instance: text, brand: text, player: text }),
  opt_ins: at(4, {
    instance: text,
    optedIn: nullable(flag),
    offset: number,
    limit: number,
    owners: since(list(text), []),
    after: trailing(number),
    countsTo: trailing(number),
  }),
  player_opt_ins: at(5, { brand: text, player: text, offset: number, limit: number }),
  winners: at(6, { instance: text, pot: text, brand: text, limit: number }),
  accounts: at(7, { instance: text }),
  check_configuration: at(8, { configuration: document<unknown>() }),
  directory: at(9, { revision: number }),
  epochs: at(10, { instance: text, after: since(number, -1) }),
  idempotency_key: at(20, { key: bytes, brand: since(text, '') }),
  open_debits: at(60, { after: number, limit: number }),
  open_credits: at(61, { after: number, limit: number, states: list(creditState), batch: text }),
  open_credit: at(62, { transactionId: text }),
  open_flushes: at(63, { offset: number, limit: number }),
  pending_answer: at(64, { sequence: number, index: number }),
  open_settlement: at(67, { transactionId: text }),
  settlement_rows: at(68, {
    book: word('debits', 'credits'),
    after: number,
    nowMs: number,
    field: settlementField,
    direction: sortDirection,
    bound: nullable(atoms),
    filter: settlementFilter,
  }),
  settlement_records: at(69, { numbers: list(number) }),
  rebuilt_outcome: at(71, { sequence: number, offset: number }),
  placement: at(80, {}),
  placement_order: at(81, {
    order: union<PlacementOrder>({
      move: at(1, { lane: number, host: nullable(text) }),
      drain: at(2, { host: text, isDrained: flag }),
    }),
  }),
  tickets: at(40, {
    instance: text,
    brand: text,
    player: text,
    newestFirst: flag,
    offset: number,
    limit: number,
  }),
  player_tickets: at(41, { brand: text, player: text, limit: number, offset: since(number, 0) }),
  // 44 and 45 were columns of tickets and their records.
  ticket_page: at(46, {
    instance: text,
    owners: list(text),
    field: word<TicketField>(...ticketFields),
    direction: sortDirection,
    offset: number,
    limit: number,
    after: trailing(ticketPosition),
  }),
  switch_preview: at(42, {
    instance: text,
    target: createInstanceLayout,
    rules: list(transferRule),
    override: flag,
  }),
  bulk_opt_in: at(43, { job: text, offset: number }),
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
  state: at(1, {
    sequence: number,
    total: number,
    next: number,
    instances: list(
      record<DescribedInstance>({ description: instanceDescription, liveValues: liveValuesLayout }),
    ),
    bindings: list(bindingList),
  }),
  instances: at(2, { sequence: number, answered: number, instances: list(instanceDescription) }),
  packed_instances: at(11, {
    sequence: number,
    answered: number,
    configurations: list(bytes),
    instances: list(packedInstance),
  }),
  opt_in_status: at(3, { status: optInStatus }),
  opt_ins: at(4, {
    statuses: list(optInStatus),
    more: flag,
    rows: since(list(number), []),
    total: trailing(number),
  }),
  winners: at(5, { winners: list(winner) }),
  accounts: at(6, {
    currency: text,
    accounts: list(tuple<readonly [string, bigint]>(text, atoms)),
    head: bytes,
    sequence: number,
  }),
  check_configuration: at(7, { faults: list(text), warnings: list(text) }),
  directory: at(8, { revision: number }),
  epochs: at(9, { epochs: list(epoch), more: since(flag, false) }),
  tickets: at(40, {
    tickets: list(ticketRecordLayout),
    more: since(flag, false),
    place: trailing(record<TicketPagePlace>({ total: number, last: nullable(ticketPosition) })),
  }),
  // 44 was columns of tickets.
  switch_preview: at(41, { source: instanceDescription, target: instanceDescription }),
  bulk_opt_in: at(42, { remaining: number, errors: list(rowError) }),
  refused: at(10, { code: text, message: text }),
  open_debits: at(60, { debits: list(debitRecord) }),
  open_credits: at(61, { credits: list(creditRecord) }),
  open_flushes: at(62, { flushes: list(flushRecord) }),
  settlements: at(67, { settlements: list(settlementRecord), more: flag }),
  settlement_rows: at(68, { numbers: list(number), values: list(atoms), next: nullable(number) }),
  pending_answer: at(63, {
    position: nullable(record<KeyPosition>({ sequence: number, index: number })),
    open: flag,
  }),
  rebuilt_outcome: at(71, { part: nullable(bytes), totalBytes: number }),
  placement: at(80, { view: document<PlacementView>(), ends: list(nullable(number)) }),
  placement_order: at(81, {}),
  idempotency_key: at(20, {
    position: nullable(record<KeyPosition>({ sequence: number, index: number })),
    ofBrands: since(flag, false),
  }),
});
