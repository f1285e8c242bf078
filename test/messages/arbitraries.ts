import fc from 'fast-check';
import type { BatchReply } from '../../src/messages/bus-messages.ts';
import { packLiveValues } from '../../src/messages/codec/live-values.ts';
import type { Command, CommandKind } from '../../src/messages/commands.ts';
import { isReadModelEvent, type LaneEvent } from '../../src/messages/events.ts';
import type {
  CommandOutcome,
  ContributionOutcome,
  InstanceTouched,
  OutcomeRecord,
  RowError,
} from '../../src/messages/outcomes.ts';
import type { PlacementView } from '../../src/messages/placement.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import { type LaneQuery, type LaneQueryAnswer, ticketFields } from '../../src/messages/queries.ts';
import type {
  InstanceDescription,
  LiveValues,
  OptInStatusRecord,
  PackedInstance,
  TicketRecord,
} from '../../src/messages/records.ts';
import { creditRecord, debitRecord, flushRecord, work } from './settlement-arbitraries.ts';

/** Random values of every type of the log's contracts. A member that is added does not compile until it is here. */

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const number = fc.oneof(fc.nat(), fc.maxSafeInteger(), fc.constantFrom(0, 1_763_700_000_123, 2 ** 32));
const atoms = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 12n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n }),
  fc.constantFrom(0n, 1n, -1n, 2n ** 53n, 2n ** 53n - 1n, 2n ** 63n, -(2n ** 63n), 2n ** 64n, -(2n ** 64n)),
);
const flag = fc.boolean();
const bytes = fc.uint8Array({ maxLength: 64 });
const id16 = fc.uint8Array({ minLength: 16, maxLength: 16 });
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const list = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(value, { maxLength: 4 });

/** One arbitrary a member, `kind` set. */
function of<T extends { readonly kind: string }>(
  kind: T['kind'],
  members: { readonly [K in Exclude<keyof T, 'kind'>]: fc.Arbitrary<T[K]> },
): fc.Arbitrary<T> {
  return fc
    .record(members as Record<string, fc.Arbitrary<unknown>>)
    .map((value) => ({ kind, ...value }) as T);
}

const memberName = fc.stringMatching(/^[a-z][a-z_]{0,20}$/);
const member = fc.oneof(
  text,
  number,
  flag,
  list(fc.dictionary(memberName, text)),
  fc.dictionary(memberName, fc.oneof(text, number)),
);
const configuration = fc.record({
  currency: text,
  jackpot_type: text,
  max_instantiation_count: fc.nat(),
  contribution_rules: fc.dictionary(memberName, member),
  pots: list(fc.dictionary(fc.constantFrom('id', 'share', 'seed'), text)),
});

export const contribute: fc.Arbitrary<Contribute> = of<Contribute>('Contribute', {
  contributionId: id16,
  target: fc.record({ type: fc.constantFrom('instance', 'source'), id: text }) as fc.Arbitrary<
    Contribute['target']
  >,
  operator: text,
  brand: text,
  player: text,
  country: text,
  segments: list(text),
  baseWagerAtoms: atoms,
  currency: text,
  gameround: text,
  idempotencyKey: nullable(id16),
  linked: flag,
  wallet: flag,
  maxBetAtoms: nullable(atoms),
  bonus: nullable(fc.record({ id: text, amountAtoms: atoms, currency: text })),
  vertical: text,
  callback: nullable(fc.record({ webHook: text, winResultOnly: flag })),
  metadata: nullable(text),
  eventMetadata: nullable(text),
  provider: text,
  origin: nullable(fc.record({ gameCode: text, gameCategory: text, sourceType: text })),
});

const engineSettings = fc.record(
  { epochMs: number, epochSequences: number, maximumRateAgeMs: number },
  { requiredKeys: ['epochMs', 'epochSequences'] },
);
const transferRules = list(fc.record({ source: text, targets: list(fc.tuple(text, text)) }));
const bindingOwner = fc.constantFrom('source' as const, 'segment' as const);
const version = nullable(number);
const maybeVersion = fc.option(number, { nil: undefined });
const decision = {
  transactionId: text,
  reason: text,
  user: text,
  idempotencyKey: fc.option(bytes, { nil: undefined }),
};

const byKind: { readonly [K in CommandKind]: fc.Arbitrary<Extract<Command, { kind: K }>> } = {
  Contribute: contribute,
  CreateInstance: of('CreateInstance', {
    instance: text,
    group: text,
    owner: text,
    templateOwner: text,
    template: text,
    name: text,
    description: text,
    gameCode: text,
    timestampStartMs: nullable(number),
    timestampEndMs: nullable(number),
    configuration,
    user: text,
  }),
  SetStatus: of('SetStatus', {
    instance: text,
    status: text,
    reason: text,
    to: text,
    user: text,
    expectedVersion: version,
  }),
  SetParameters: of('SetParameters', {
    instance: text,
    configuration,
    reason: text,
    user: text,
    expectedVersion: version,
  }),
  SetDetails: of('SetDetails', {
    instance: text,
    name: nullable(text),
    description: nullable(text),
    user: text,
    expectedVersion: version,
  }),
  SetLinks: of('SetLinks', { instance: text, links: list(text), user: text, expectedVersion: version }),
  Bind: of('Bind', {
    of: bindingOwner,
    owner: text,
    ids: list(text),
    instance: text,
    priority: nullable(number),
  }),
  Unbind: of('Unbind', { of: bindingOwner, owner: text, ids: list(text), instance: text }),
  SetBindingPriorities: of('SetBindingPriorities', {
    of: bindingOwner,
    owner: text,
    id: text,
    priorities: list(fc.tuple(text, number)),
  }),
  SetSegment: of('SetSegment', { owner: text, segment: text, priority: nullable(number) }),
  OptIn: of('OptIn', {
    instance: text,
    brand: text,
    player: text,
    country: text,
    optIn: flag,
    valueAtoms: nullable(atoms),
    currency: text,
    linked: flag,
    user: text,
    statesCurrency: fc.constantFrom(undefined, true, false),
  }),
  SetBrandAllowed: of('SetBrandAllowed', {
    instance: text,
    brand: text,
    allowed: flag,
    user: text,
    expectedVersion: maybeVersion,
  }),
  AdjustPot: of('AdjustPot', {
    instance: text,
    pot: text,
    account: fc.constantFrom('current_value', 'seed_value', 'surplus_seed'),
    targetAtoms: atoms,
    reason: text,
    user: text,
    mayDecrease: flag,
    idempotencyKey: nullable(id16),
    expectedVersion: version,
    unapprovedLimitAtoms: fc.option(atoms, { nil: undefined }),
  }),
  TriggerPot: of('TriggerPot', {
    instance: text,
    pot: text,
    brand: text,
    player: text,
    source: text,
    user: text,
    idempotencyKey: nullable(id16),
    checksOptIn: fc.constantFrom(undefined, false, true),
    expectedVersion: maybeVersion,
  }),
  SetRates: of('SetRates', {
    version: number,
    brand: text,
    base: text,
    multipliers: list(fc.tuple(text, text, nullable(fc.nat()))),
    updatedMs: number,
  }),
  DebitSettled: of('DebitSettled', {
    transactionId: text,
    result: fc.constantFrom('debited', 'refused', 'cancelled'),
    expiresMs: number,
  }),
  CreditSettled: of('CreditSettled', {
    transactionIds: list(text),
    result: fc.constantFrom('accepted', 'refused', 'unknown', 'exhausted'),
    reason: text,
  }),
  ReleaseCredit: of('ReleaseCredit', decision),
  RetryCredit: of('RetryCredit', decision),
  ResolveCredit: of('ResolveCredit', decision),
  CancelDebit: of('CancelDebit', decision),
  FlushSettled: of('FlushSettled', {
    instance: text,
    flushId: text,
    result: fc.constantFrom('confirmed', 'failed'),
  }),
  SetBrand: of('SetBrand', {
    brand: text,
    salt: bytes,
    wallet: flag,
    provider: text,
    closeRounds: flag,
    verificationLimitAtoms: nullable(atoms),
    verificationCurrency: text,
    walletMustMatch: flag,
    batchDebits: flag,
  }),
  OpenEpoch: of('OpenEpoch', {
    instance: text,
    epoch: number,
    seeds: list(fc.record({ epoch: number, commit: bytes, sealed: bytes, keyId: text })),
    beacon: bytes,
  }),
  RevealEpoch: of('RevealEpoch', { instance: text, epoch: number, seed: bytes }),
  Tick: of('Tick', { instance: text }),
  BulkOptIn: of('BulkOptIn', {
    job: text,
    rows: list(fc.record({ instance: text, brand: text, player: text, currency: text, optIn: flag })),
    user: text,
  }),
  SwitchModel: of('SwitchModel', {
    instance: text,
    target: text,
    rules: transferRules,
    transferOptIns: flag,
    override: flag,
    reason: text,
    user: text,
    expectedVersion: maybeVersion,
    targetVersion: maybeVersion,
  }),
  CancelSwitch: of('CancelSwitch', { instance: text, target: text, reason: text, user: text }),
  Continue: of('Continue', { job: text, step: number }),
  Own: of('Own', { term: number, host: text, settings: nullable(engineSettings) }),
  UpgradeTo: of('UpgradeTo', { version: number }),
  Quarantine: of('Quarantine', {
    sequence: number,
    sha256: id16,
    commands: number,
    reason: text,
    user: text,
  }),
};

export const command: fc.Arbitrary<Command> = fc.oneof(
  ...(Object.values(byKind) as unknown as fc.Arbitrary<Command>[]),
);

export const batch = fc.record({
  batchId: id16,
  gateway: text,
  commands: fc.array(command, { maxLength: 12 }),
});

const instanceId = fc.oneof(fc.constantFrom('a', 'b', 'c'), text);
const quietAtoms = fc.bigInt({ min: 0n, max: 10n ** 10n });
const sequence = fc.oneof(fc.integer({ min: 1, max: 200 }), number);

const quiet: fc.Arbitrary<ContributionOutcome> = fc
  .record({ instance: instanceId, sequence, amount: quietAtoms })
  .map(({ instance, sequence, amount }) => ({
    instance,
    sequence,
    contributionAtoms: amount,
    requestAtoms: amount,
    bonusAtoms: 0n,
    win: null,
    tickets: 0,
  }));

const result: fc.Arbitrary<ContributionOutcome> = fc.record({
  instance: instanceId,
  sequence,
  contributionAtoms: fc.oneof(quietAtoms, atoms),
  requestAtoms: fc.oneof(quietAtoms, atoms),
  bonusAtoms: fc.oneof(fc.constant(0n), atoms),
  win: fc.option(fc.record({ pot: text, amountAtoms: atoms, currency: text, withheld: flag }), {
    nil: null,
    freq: 2,
  }),
  tickets: fc.oneof(fc.constant(0), fc.nat()),
});

const refusal = of<Extract<CommandOutcome, { kind: 'Refused' }>>('Refused', {
  code: fc.constantFrom('debit_refused', 'wallet_unavailable'),
  message: text,
});

export const rowErrors: fc.Arbitrary<RowError[]> = list(
  fc.record({
    row: number,
    code: fc.constantFrom('instance_not_found' as const, 'brand_not_allowed' as const),
    message: text,
  }),
);

const outcome: fc.Arbitrary<CommandOutcome> = fc.oneof(
  of<Extract<CommandOutcome, { kind: 'BulkOptedIn' }>>('BulkOptedIn', {
    remaining: number,
    errors: rowErrors,
  }),
  of<Extract<CommandOutcome, { kind: 'Pending' }>>('Pending', {}),
  of<Extract<CommandOutcome, { kind: 'Settled' }>>('Settled', {
    contributions: list(
      fc.record({
        sequence: number,
        index: fc.nat(),
        gateway: text,
        batchId: bytes,
        idempotencyKey: nullable(bytes),
        callback: flag,
        result: fc.oneof(
          of<Extract<CommandOutcome, { kind: 'Contributed' }>>('Contributed', { results: list(result) }),
          refusal,
        ),
      }),
    ),
  }),
  of<Extract<CommandOutcome, { kind: 'Contributed' }>>('Contributed', {
    results: fc.oneof(fc.tuple(quiet), list(quiet), list(result)),
  }),
  of<Extract<CommandOutcome, { kind: 'Duplicate' }>>('Duplicate', { sequence: number, index: fc.nat() }),
  of<Extract<CommandOutcome, { kind: 'Refused' }>>('Refused', {
    code: fc.constantFrom('instance_not_active', 'brand_not_allowed', 'not_mapped'),
    message: fc.oneof(fc.constant(''), text),
  }),
  of<Extract<CommandOutcome, { kind: 'Done' }>>('Done', { instance: text, version: number }),
  of<Extract<CommandOutcome, { kind: 'OptedIn' }>>('OptedIn', { succeeded: list(text), failed: list(text) }),
  of<Extract<CommandOutcome, { kind: 'Triggered' }>>('Triggered', {
    instance: text,
    pot: text,
    winAmountAtoms: atoms,
    timestampMs: number,
  }),
);

/** Between −2^85 and 2^85, as in an account. */
export const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 12n }),
  fc.bigInt({ min: -(2n ** 85n), max: 2n ** 85n - 1n }),
);

const metersOf = (atoms: fc.Arbitrary<bigint>) =>
  fc.record({
    seedAtoms: atoms,
    surplusAtoms: atoms,
    overflowAtoms: atoms,
    contributedAtoms: atoms,
    contributedSeedAtoms: atoms,
    initialCostAtoms: atoms,
    totalContributions: number,
  });

export const liveValuesOf = (atoms: fc.Arbitrary<bigint>): fc.Arbitrary<LiveValues> =>
  fc.record({
    instance: text,
    sequence: number,
    version: number,
    status: text,
    pots: list(
      fc.record(
        { pot: text, currentAtoms: atoms, instanceCount: fc.nat(), enabled: flag, meters: metersOf(atoms) },
        { requiredKeys: ['pot', 'currentAtoms', 'instanceCount', 'enabled'] },
      ),
    ),
    head: bytes,
    epoch: number,
    lastUpdatedMs: number,
  });

const liveValues = liveValuesOf(atoms);

const touched: fc.Arbitrary<InstanceTouched> = fc.record({
  instance: text,
  head: bytes,
  firstSequence: number,
});

const optInFacts = {
  instance: text,
  brand: text,
  player: text,
  optedIn: flag,
  preferences: list(fc.tuple(text, atoms)),
  contributionCount: number,
  contributionAtoms: atoms,
  pots: list(fc.tuple(text, number, atoms)),
  lastUpdatedMs: number,
};
const optInStatus: fc.Arbitrary<OptInStatusRecord> = fc.record(
  { ...optInFacts, statedCurrency: text, optedOut: flag },
  { requiredKeys: Object.keys(optInFacts) as (keyof typeof optInFacts)[] },
);

const ticketRecord: fc.Arbitrary<TicketRecord> = fc.record({
  instance: text,
  brand: text,
  player: text,
  ticketCount: number,
  accumulatedAtoms: atoms,
  startMs: number,
  endMs: number,
});

export const description: fc.Arbitrary<InstanceDescription> = fc.record({
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
  configuration: configuration as fc.Arbitrary<unknown>,
  house: fc.record({
    currentAtoms: atoms,
    seedDeficitAtoms: atoms,
    diversionAtoms: atoms,
    totalContributions: number,
    createdMs: number,
  }),
  pots: list(
    fc.record({
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
    }),
  ),
  head: bytes,
  epoch: number,
  eventCounter: number,
  pendingConfiguration: nullable(configuration as fc.Arbitrary<unknown>),
});

const packedInstance: fc.Arbitrary<PackedInstance> = fc
  .tuple(description, fc.nat())
  .map(([{ pendingConfiguration: _, ...described }, place]) => ({ ...described, configuration: place }));

const share = fc.record({
  brand: text,
  player: text,
  amountAtoms: atoms,
  paidAtoms: atoms,
  paidCurrency: text,
});
const binding = fc.record({ instance: text, priority: number });

type EventOf<K extends LaneEvent['kind']> = Extract<LaneEvent, { kind: K }>;
const event: fc.Arbitrary<LaneEvent> = fc.oneof(
  of<EventOf<'InstanceChanged'>>('InstanceChanged', { instance: description }),
  of<EventOf<'StatusChanged'>>('StatusChanged', {
    instance: text,
    counter: number,
    status: text,
    reason: text,
  }),
  of<EventOf<'BindingsChanged'>>('BindingsChanged', {
    of: bindingOwner,
    owner: text,
    id: text,
    bindings: list(binding),
  }),
  of<EventOf<'OptInChanged'>>('OptInChanged', { status: optInStatus }),
  of<EventOf<'Won'>>('Won', {
    instance: text,
    counter: number,
    sequence: number,
    contributionId: bytes,
    gameround: text,
    pot: text,
    instanceCount: number,
    currency: text,
    rateVersion: number,
    winner: share,
    community: list(share),
    seedAtoms: atoms,
    seedDeficitAtoms: atoms,
    withheld: flag,
    external: flag,
    eventMetadata: nullable(text),
  }),
  of<EventOf<'EpochStarted'>>('EpochStarted', { instance: text, epoch: number, header: text }),
  of<EventOf<'EpochEnded'>>('EpochEnded', {
    instance: text,
    epoch: number,
    fromSequence: number,
    toSequence: number,
  }),
  of<EventOf<'TicketsAwarded'>>('TicketsAwarded', { first: number, count: number, record: ticketRecord }),
  of<EventOf<'RaffleWon'>>('RaffleWon', {
    instance: text,
    counter: number,
    sequence: number,
    round: number,
    pot: text,
    instanceCount: number,
    currency: text,
    winners: list(
      fc.record({
        brand: text,
        player: text,
        tier: number,
        ticket: number,
        amountAtoms: atoms,
        withheld: flag,
      }),
    ),
    tickets: number,
    seedAtoms: atoms,
    seedDeficitAtoms: atoms,
  }),
  of<EventOf<'PayoutChanged'>>('PayoutChanged', { credit: creditRecord }),
  of<EventOf<'EpochRevealed'>>('EpochRevealed', { instance: text, epoch: number, seed: bytes }),
);

const outcomes = fc.array(outcome, { maxLength: 30 });

export const outcomeRecord: fc.Arbitrary<OutcomeRecord> = fc
  .record({
    sequence: number,
    timestampMs: number,
    laneHead: bytes,
    instances: list(touched),
    outcomes,
    events: list(event),
    work: list(work),
    streamKeys: fc.option(list(bytes)),
  })
  .map(({ streamKeys, ...record }) => (streamKeys === null ? record : { ...record, streamKeys }));

export const batchReply: fc.Arbitrary<BatchReply> = fc.record({
  batchId: id16,
  lane: fc.nat(),
  sequence: number,
  timestampMs: number,
  outcomes,
  liveValues: list(liveValuesOf(amount)).map(packLiveValues),
  events: list(event).map((events) => events.filter(isReadModelEvent)),
  wins: list(fc.record({ brand: text, bytes: fc.nat() })),
  late: list(fc.record({ index: fc.nat(), sequence: number, outcome })),
});

export const laneTick = fc.record({
  lane: fc.nat(),
  appliedSequence: number,
  storedOutcome: number,
  liveValues: list(liveValuesOf(amount)).map(packLiveValues),
});

export const heartbeat = fc.record({
  lane: fc.nat(),
  host: text,
  term: number,
  appliedSequence: number,
  storedOutcome: number,
  condition: fc.constantFrom('serving' as const, 'full' as const, 'stopped' as const),
  code: text,
});

const placementView: fc.Arbitrary<PlacementView> = fc.record({
  lanes: list(
    fc.record({
      lane: number,
      owner: nullable(text),
      term: nullable(number),
      condition: fc.constantFrom('serving', 'full', 'stopped', 'silent'),
      code: text,
      appliedSequence: nullable(number),
      head: nullable(text),
      standby: nullable(text),
      isStandbyWarm: flag,
      standbySequence: nullable(number),
      engineVersion: nullable(number),
      placedOwner: nullable(text),
      placedStandby: nullable(text),
      pinnedTo: nullable(text),
    }),
  ),
  hosts: list(
    fc.record({
      id: text,
      isSettled: flag,
      isLeaving: flag,
      isDrained: flag,
      failures: number,
      engine: fc.record({ oldest: number, newest: number }),
      ownedLanes: list(number),
      followedLanes: list(number),
      haltedLanes: list(number),
    }),
  ),
  changes: list(
    fc.record({
      lane: number,
      term: number,
      from: text,
      to: text,
      timestampMs: number,
      silentMs: number,
    }),
  ),
});

const ticketPosition = fc.record({ value: text, row: number });

type QueryOf<K extends LaneQuery['kind']> = Extract<LaneQuery, { kind: K }>;
const query: fc.Arbitrary<LaneQuery> = fc.oneof(
  of<QueryOf<'state'>>('state', { offset: number }),
  of<QueryOf<'instances'>>('instances', { ids: list(text), packed: fc.constantFrom(true, undefined) }),
  of<QueryOf<'opt_in_status'>>('opt_in_status', { instance: text, brand: text, player: text }),
  of<QueryOf<'opt_ins'>>('opt_ins', {
    instance: text,
    optedIn: nullable(flag),
    owners: list(text),
    offset: number,
    limit: number,
    after: fc.option(number, { nil: undefined }),
    countsTo: fc.option(number, { nil: undefined }),
  }),
  of<QueryOf<'player_opt_ins'>>('player_opt_ins', {
    brand: text,
    player: text,
    offset: number,
    limit: number,
  }),
  of<QueryOf<'winners'>>('winners', { instance: text, pot: text, brand: text, limit: number }),
  of<QueryOf<'accounts'>>('accounts', { instance: text }),
  of<QueryOf<'check_configuration'>>('check_configuration', {
    configuration: configuration as fc.Arbitrary<unknown>,
  }),
  of<QueryOf<'directory'>>('directory', { revision: number }),
  of<QueryOf<'open_debits'>>('open_debits', { after: number, limit: number }),
  of<QueryOf<'open_credits'>>('open_credits', {
    after: number,
    limit: number,
    states: list(fc.constantFrom('pending' as const, 'withheld' as const, 'dead' as const)),
    batch: text,
  }),
  of<QueryOf<'open_credit'>>('open_credit', { transactionId: text }),
  fc.constant<QueryOf<'placement'>>({ kind: 'placement' }),
  fc.record<QueryOf<'placement_order'>>({
    kind: fc.constant('placement_order'),
    order: fc.oneof(
      fc.record({
        kind: fc.constant('move' as const),
        lane: fc.nat(),
        host: fc.option(fc.string(), { nil: null }),
      }),
      fc.record({ kind: fc.constant('drain' as const), host: fc.string(), isDrained: fc.boolean() }),
    ),
  }),
  of<QueryOf<'open_flushes'>>('open_flushes', { offset: number, limit: number }),
  of<QueryOf<'pending_answer'>>('pending_answer', { sequence: number, index: fc.nat() }),
  of<QueryOf<'tickets'>>('tickets', {
    instance: text,
    brand: text,
    player: text,
    newestFirst: flag,
    offset: number,
    limit: number,
  }),
  of<QueryOf<'player_tickets'>>('player_tickets', {
    brand: text,
    player: text,
    limit: number,
    offset: number,
  }),
  of<QueryOf<'ticket_page'>>('ticket_page', {
    instance: text,
    owners: list(text),
    field: fc.constantFrom(...ticketFields),
    direction: fc.constantFrom(1, -1),
    offset: number,
    limit: number,
    after: fc.option(ticketPosition, { nil: undefined }),
  }),
  of<QueryOf<'switch_preview'>>('switch_preview', {
    instance: text,
    target: byKind.CreateInstance,
    rules: transferRules,
    override: flag,
  }),
  of<QueryOf<'bulk_opt_in'>>('bulk_opt_in', { job: text, offset: number }),
  of<QueryOf<'epochs'>>('epochs', { instance: text, after: number }),
  of<QueryOf<'idempotency_key'>>('idempotency_key', { key: bytes, brand: text }),
);

export const queryRequest = fc.record({ minSequence: number, query });

type AnswerOf<K extends LaneQueryAnswer['kind']> = Extract<LaneQueryAnswer, { kind: K }>;
export const queryAnswer: fc.Arbitrary<LaneQueryAnswer> = fc.oneof(
  of<AnswerOf<'state'>>('state', {
    next: number,
    sequence: number,
    total: number,
    instances: list(fc.record({ description, liveValues })),
    bindings: list(fc.record({ of: bindingOwner, owner: text, id: text, bindings: list(binding) })),
  }),
  of<AnswerOf<'instances'>>('instances', {
    sequence: number,
    answered: number,
    instances: list(description),
  }),
  of<AnswerOf<'packed_instances'>>('packed_instances', {
    sequence: number,
    answered: number,
    configurations: list(bytes),
    instances: list(packedInstance),
  }),
  of<AnswerOf<'opt_in_status'>>('opt_in_status', { status: optInStatus }),
  of<AnswerOf<'opt_ins'>>('opt_ins', {
    statuses: list(optInStatus),
    more: flag,
    rows: list(number),
    total: fc.option(number, { nil: undefined }),
  }),
  of<AnswerOf<'open_debits'>>('open_debits', { debits: list(debitRecord) }),
  of<AnswerOf<'open_credits'>>('open_credits', { credits: list(creditRecord) }),
  of<AnswerOf<'placement'>>('placement', { view: placementView, ends: list(nullable(number)) }),
  of<AnswerOf<'open_flushes'>>('open_flushes', { flushes: list(flushRecord) }),
  of<AnswerOf<'pending_answer'>>('pending_answer', {
    position: nullable(fc.record({ sequence: number, index: fc.nat() })),
    open: flag,
  }),
  of<AnswerOf<'winners'>>('winners', {
    winners: list(
      fc.record({
        pot: text,
        amountAtoms: atoms,
        currency: text,
        brand: text,
        player: text,
        timestampMs: number,
        sequence: number,
        withheld: flag,
        place: number,
      }),
    ),
  }),
  of<AnswerOf<'accounts'>>('accounts', {
    currency: text,
    accounts: list(fc.tuple(text, atoms)),
    head: bytes,
    sequence: number,
  }),
  of<AnswerOf<'check_configuration'>>('check_configuration', { faults: list(text), warnings: list(text) }),
  of<AnswerOf<'directory'>>('directory', { revision: number }),
  of<AnswerOf<'epochs'>>('epochs', {
    more: flag,
    epochs: list(
      fc.record({
        epoch: number,
        commit: bytes,
        beacon: bytes,
        state: fc.constantFrom('committed', 'running', 'ended', 'revealed'),
        header: text,
        firstSequence: number,
        lastSequence: number,
        firstMessage: number,
        lastMessage: number,
        seed: nullable(bytes),
      }),
    ),
  }),
  of<AnswerOf<'tickets'>>('tickets', {
    tickets: list(ticketRecord),
    more: flag,
    place: fc.option(fc.record({ total: number, last: nullable(ticketPosition) }), {
      nil: undefined,
    }),
  }),
  of<AnswerOf<'switch_preview'>>('switch_preview', { source: description, target: description }),
  of<AnswerOf<'bulk_opt_in'>>('bulk_opt_in', { remaining: number, errors: rowErrors }),
  of<AnswerOf<'idempotency_key'>>('idempotency_key', {
    position: nullable(fc.record({ sequence: number, index: number })),
    ofBrands: flag,
  }),
  of<AnswerOf<'refused'>>('refused', { code: text, message: text }),
);
