import type { LaneEvent, RafflePrize, WinShare } from '../events.ts';
import type {
  CommandOutcome,
  Contributed,
  ContributionOutcome,
  ContributionWin,
  InstanceTouched,
  RowError,
  SettledContribution,
} from '../outcomes.ts';
import type {
  Binding,
  InstanceDescription,
  LiveValues,
  OptInStatusRecord,
  PackedInstance,
  PotDescription,
  PotLiveValues,
  PotMeters,
  SwitchEnd,
  SwitchProgress,
  TicketRecord,
} from '../records.ts';
import type { Refusal, RefusalCode } from '../refusals.ts';
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
  openWord,
  optional,
  record,
  since,
  text,
  trailing,
  tuple,
  union,
  variant,
  word,
} from './layout.ts';
import { creditRecord } from './settlements.ts';

/** A later version of the engine may refuse with a code that is unknown here. */
export const refusalCode = openWord<RefusalCode>();

const contributionWin = record<ContributionWin>({
  pot: text,
  amountAtoms: atoms,
  currency: text,
  withheld: flag,
});

const contributionOutcome = record<ContributionOutcome>({
  instance: text,
  sequence: number,
  contributionAtoms: atoms,
  requestAtoms: atoms,
  bonusAtoms: atoms,
  win: nullable(contributionWin),
  tickets: number,
  timestampMs: trailing(number),
});

export const contributed: Layout<Contributed> = variant('Contributed', {
  results: list(contributionOutcome),
});
export const refusalLayout: Layout<Refusal> = variant('Refused', { code: refusalCode, message: text });

const settledContribution = record<SettledContribution>({
  sequence: number,
  index: number,
  gateway: text,
  batchId: bytes,
  idempotencyKey: nullable(bytes),
  callback: flag,
  result: union<SettledContribution['result']>({
    Contributed: [1, contributed],
    Refused: [3, refusalLayout],
  }),
});

export const rowError = record<RowError>({ row: number, code: refusalCode, message: text });

/** The full form of an outcome; compact ones are in `compact-outcomes.ts`. */
export const commandOutcome: Layout<CommandOutcome> = union<CommandOutcome>({
  Contributed: [1, contributed],
  Duplicate: at(2, { sequence: number, index: number }),
  Refused: [3, refusalLayout],
  Done: at(4, { instance: text, version: number }),
  OptedIn: at(5, { succeeded: list(text), failed: list(text) }),
  Triggered: at(6, { instance: text, pot: text, winAmountAtoms: atoms, timestampMs: number }),
  BulkOptedIn: at(30, { remaining: number, errors: list(rowError) }),
  Pending: at(20, {}),
  Settled: at(21, { contributions: list(settledContribution) }),
});

export const instanceTouched = record<InstanceTouched>({
  instance: text,
  head: bytes,
  firstSequence: number,
});

const meters = record<PotMeters>({
  seedAtoms: atoms,
  surplusAtoms: atoms,
  overflowAtoms: atoms,
  contributedAtoms: atoms,
  contributedSeedAtoms: atoms,
  initialCostAtoms: atoms,
  totalContributions: number,
});

const potLiveValues = record<PotLiveValues>({
  pot: text,
  currentAtoms: atoms,
  instanceCount: number,
  enabled: flag,
  meters: optional(meters),
});

export const liveValuesLayout = record<LiveValues>({
  instance: text,
  sequence: number,
  version: number,
  status: text,
  pots: list(potLiveValues),
  head: bytes,
  epoch: number,
  lastUpdatedMs: number,
});

export const binding = record<Binding>({ instance: text, priority: number });

export const optInStatus = record<OptInStatusRecord>({
  instance: text,
  brand: text,
  player: text,
  optedIn: flag,
  preferences: list(tuple<readonly [string, bigint]>(text, atoms)),
  contributionCount: number,
  contributionAtoms: atoms,
  pots: list(tuple<readonly [string, number, bigint]>(text, number, atoms)),
  lastUpdatedMs: number,
  statedCurrency: trailing(text),
  optedOut: trailing(flag),
});

const potDescription = record<PotDescription>({
  pot: text,
  enabled: flag,
  instanceCount: number,
  createdMs: number,
  currentAtoms: atoms,
  seedAtoms: atoms,
  surplusAtoms: atoms,
  overflowAtoms: atoms,
  carryAtoms: atoms,
  contributedAtoms: atoms,
  contributedSeedAtoms: atoms,
  initialCostAtoms: atoms,
  totalContributions: number,
});

const switchProgress = record<SwitchProgress>({
  target: text,
  copied: number,
  total: number,
  user: text,
  reason: text,
  end: nullable(
    record<SwitchEnd>({
      outcome: word('done', 'cancelled', 'refused'),
      atMs: number,
      code: text,
      message: text,
    }),
  ),
});

const describedMembers = {
  instance: text,
  group: text,
  owner: text,
  templateOwner: text,
  template: text,
  name: text,
  description: text,
  gameCode: text,
  status: text,
  version: number,
  createdMs: number,
  lastUpdatedMs: number,
  timestampStartMs: number,
  timestampEndMs: nullable(number),
  totalContributions: number,
  sequence: number,
  links: list(text),
  switchedTo: text,
  configuration: document<unknown>(),
  house: record<InstanceDescription['house']>({
    currentAtoms: atoms,
    seedDeficitAtoms: atoms,
    diversionAtoms: atoms,
    totalContributions: number,
    createdMs: number,
  }),
  pots: list(potDescription),
  head: bytes,
  epoch: number,
  eventCounter: number,
} as const;

export const instanceDescription = record<InstanceDescription>({
  ...describedMembers,
  pendingConfiguration: since(document<unknown>(), null),
  switch: trailing(switchProgress),
});

export const packedInstance = record<PackedInstance>({
  ...describedMembers,
  configuration: number,
  switch: trailing(switchProgress),
});

const winShare = record<WinShare>({
  brand: text,
  player: text,
  amountAtoms: atoms,
  paidAtoms: atoms,
  paidCurrency: text,
});

export const ticketRecordLayout = record<TicketRecord>({
  instance: text,
  brand: text,
  player: text,
  ticketCount: number,
  accumulatedAtoms: atoms,
  startMs: number,
  endMs: number,
});

const rafflePrize = record<RafflePrize>({
  brand: text,
  player: text,
  tier: number,
  ticket: number,
  amountAtoms: atoms,
  withheld: flag,
});

export const laneEvent: Layout<LaneEvent> = union<LaneEvent>({
  InstanceChanged: at(1, { instance: instanceDescription }),
  StatusChanged: at(2, { instance: text, counter: number, status: text, reason: text }),
  BindingsChanged: at(3, {
    of: word('source', 'segment'),
    owner: text,
    id: text,
    bindings: list(binding),
  }),
  OptInChanged: at(4, { status: optInStatus }),
  Won: at(5, {
    instance: text,
    counter: number,
    sequence: number,
    contributionId: bytes,
    gameround: text,
    pot: text,
    instanceCount: number,
    currency: text,
    rateVersion: number,
    winner: winShare,
    community: list(winShare),
    seedAtoms: atoms,
    seedDeficitAtoms: atoms,
    withheld: flag,
    external: flag,
    eventMetadata: nullable(text),
  }),
  TicketsAwarded: at(30, { first: number, count: number, record: ticketRecordLayout }),
  RaffleWon: at(31, {
    instance: text,
    counter: number,
    sequence: number,
    round: number,
    pot: text,
    instanceCount: number,
    currency: text,
    winners: list(rafflePrize),
    tickets: number,
    seedAtoms: atoms,
    seedDeficitAtoms: atoms,
  }),
  EpochStarted: at(6, { instance: text, epoch: number, header: text }),
  EpochEnded: at(7, { instance: text, epoch: number, fromSequence: number, toSequence: number }),
  PayoutChanged: at(20, { credit: creditRecord }),
  EpochRevealed: at(8, { instance: text, epoch: number, seed: bytes }),
});
