import type { Command, CommandBatch, LoggedBatch, LoggedCommand } from '../commands.ts';
import type { BindingOwnerKind, CreateInstance, TransferRule } from '../instance-commands.ts';
import type { CommittedSeed, EngineSettings } from '../lane-commands.ts';
import type { BulkOptInRow, Contribute } from '../player-commands.ts';
import { contributionTag, packContribute, unpackContribute } from './contribute.ts';
import {
  array,
  at,
  atoms,
  bytes,
  flag,
  jsonDocument,
  type Layout,
  list,
  nullable,
  number,
  optional,
  record,
  since,
  text,
  trailing,
  tuple,
  union,
  type Variants,
  variant,
  word,
} from './layout.ts';

const bindingOwner = word<BindingOwnerKind>('source', 'segment');
const committedSeed = record<CommittedSeed>({ epoch: number, commit: bytes, sealed: bytes, keyId: text });

const engineSettings = record<EngineSettings>({
  epochMs: number,
  epochSequences: number,
  maximumRateAgeMs: optional(number),
  maximumPlayersPerOperator: since(optional(number), undefined),
  maximumMessageBytes: since(optional(number), undefined),
});

const bulkOptInRow = record<BulkOptInRow>({
  instance: text,
  brand: text,
  player: text,
  currency: text,
  optIn: flag,
});
export const transferRule = record<TransferRule>({
  source: text,
  targets: list(tuple<readonly [string, string]>(text, text)),
});

export const createInstanceLayout = variant<CreateInstance>('CreateInstance', {
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
  configuration: jsonDocument(),
  user: text,
});

/** A person's decision about a transaction. */
const decision = { transactionId: text, reason: text, user: text, idempotencyKey: trailing(bytes) };

/** What callers write through a gateway. Tags never change, and are counted over both tables. */
const ofCallers = {
  CreateInstance: [2, createInstanceLayout],
  SetStatus: at(3, {
    instance: text,
    status: text,
    reason: text,
    to: text,
    user: text,
    expectedVersion: nullable(number),
  }),
  SetParameters: at(4, {
    instance: text,
    configuration: jsonDocument(),
    reason: text,
    user: text,
    expectedVersion: nullable(number),
  }),
  SetDetails: at(5, {
    instance: text,
    name: nullable(text),
    description: nullable(text),
    user: text,
    expectedVersion: nullable(number),
  }),
  SetLinks: at(6, { instance: text, links: list(text), user: text, expectedVersion: nullable(number) }),
  Bind: at(7, {
    of: bindingOwner,
    owner: text,
    ids: list(text),
    instance: text,
    priority: nullable(number),
  }),
  Unbind: at(8, { of: bindingOwner, owner: text, ids: list(text), instance: text }),
  SetBindingPriorities: at(9, {
    of: bindingOwner,
    owner: text,
    id: text,
    priorities: list(tuple<readonly [string, number]>(text, number)),
  }),
  OptIn: at(11, {
    instance: text,
    brand: text,
    player: text,
    country: text,
    optIn: flag,
    valueAtoms: nullable(atoms),
    currency: text,
    linked: flag,
    user: text,
    statesCurrency: trailing(flag),
  }),
  SetBrandAllowed: at(12, {
    instance: text,
    brand: text,
    allowed: flag,
    user: text,
    expectedVersion: trailing(number),
  }),
  AdjustPot: at(13, {
    instance: text,
    pot: text,
    account: word('current_value', 'seed_value', 'surplus_seed'),
    targetAtoms: atoms,
    reason: text,
    user: text,
    mayDecrease: flag,
    idempotencyKey: nullable(bytes),
    expectedVersion: nullable(number),
    unapprovedLimitAtoms: trailing(atoms),
  }),
  TriggerPot: at(14, {
    instance: text,
    pot: text,
    brand: text,
    player: text,
    source: text,
    user: text,
    idempotencyKey: nullable(bytes),
    checksOptIn: since(optional(flag), undefined),
    expectedVersion: trailing(number),
  }),
  ReleaseCredit: at(32, decision),
  RetryCredit: at(33, decision),
  ResolveCredit: at(34, decision),
  CancelDebit: at(38, decision),
  BulkOptIn: at(40, { job: text, rows: list(bulkOptInRow), user: text }),
  SwitchModel: at(41, {
    instance: text,
    target: text,
    rules: list(transferRule),
    transferOptIns: flag,
    override: flag,
    reason: text,
    user: text,
    expectedVersion: trailing(number),
    targetVersion: trailing(number),
  }),
  CancelSwitch: at(43, { instance: text, target: text, reason: text, user: text }),
} satisfies Partial<Variants<PlainCommand>>;

/** What no gateway may write. */
const notOfCallers = {
  SetSegment: at(10, { owner: text, segment: text, priority: nullable(number) }),
  SetRates: at(15, {
    version: number,
    brand: text,
    base: text,
    multipliers: list(tuple<readonly [string, string, number | null]>(text, text, nullable(number))),
    updatedMs: number,
  }),
  SetBrand: at(16, {
    brand: text,
    salt: bytes,
    wallet: flag,
    provider: text,
    closeRounds: flag,
    verificationLimitAtoms: nullable(atoms),
    verificationCurrency: text,
    walletMustMatch: trailing(flag),
    batchDebits: trailing(flag),
  }),
  OpenEpoch: at(17, { instance: text, epoch: number, seeds: list(committedSeed), beacon: bytes }),
  RevealEpoch: at(18, { instance: text, epoch: number, seed: bytes }),
  Tick: at(19, { instance: text }),
  Own: at(20, { term: number, host: text, settings: since(nullable(engineSettings), null) }),
  UpgradeTo: at(21, { version: number }),
  Quarantine: at(22, { sequence: number, sha256: bytes, commands: number, reason: text, user: text }),
  DebitSettled: at(30, {
    transactionId: text,
    result: word('debited', 'refused', 'cancelled'),
    expiresMs: trailing(number),
  }),
  CreditSettled: at(31, {
    transactionIds: list(text),
    result: word('accepted', 'refused', 'unknown', 'exhausted'),
    reason: text,
  }),
  FlushSettled: at(35, { instance: text, flushId: text, result: word('confirmed', 'failed') }),
  Continue: at(42, { job: text, step: number }),
} satisfies Partial<Variants<PlainCommand>>;

/** All commands but Contribute, whose layout is written by hand. */
type PlainCommand = Exclude<Command, Contribute>;
const contribution: Layout<Contribute> = {
  pack: packContribute,
  unpack: (raw) => unpackContribute(array(raw)),
};
const layout = union<Command>({
  Contribute: [contributionTag, contribution],
  ...ofCallers,
  ...notOfCallers,
});

/** Whether a command is one that callers may not write. */
export function isNotOfCallers(kind: string): boolean {
  return Object.hasOwn(notOfCallers, kind);
}

/** A batch as plain values: `[id, gateway, [tag, command][]]`. */
export function packBatch(batch: CommandBatch): unknown {
  return [batch.batchId, batch.gateway, batch.commands.map(layout.pack)];
}

/** A command that this version cannot read becomes `Unreadable`. @throws TypeError for other values */
export function unpackBatch(raw: unknown): LoggedBatch {
  const [batchId, gateway, commands] = array(raw);
  return {
    batchId: bytes.unpack(batchId),
    gateway: text.unpack(gateway),
    commands: array(commands).map(unpackCommand),
  };
}

function unpackCommand(raw: unknown): LoggedCommand {
  try {
    return layout.unpack(raw);
  } catch {
    // The command must keep its place in the batch.
    return { kind: 'Unreadable' };
  }
}
