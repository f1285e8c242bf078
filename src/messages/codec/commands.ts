import type { Command, CommandBatch, CommandKind, LoggedBatch, LoggedCommand } from '../commands.ts';
import type { BindingOwnerKind, CreateInstance, TransferRule } from '../instance-commands.ts';
import type { CommittedSeed, EngineSettings } from '../lane-commands.ts';
import type { BulkOptInRow } from '../player-commands.ts';
import { contributionTag, packContribute, unpackContribute } from './contribute.ts';
import {
  array,
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

/** Of a person about a transaction. */
const decision = { transactionId: text, reason: text, user: text, idempotencyKey: trailing(bytes) };

type CommandLayouts = {
  readonly [K in CommandKind]: readonly [tag: number, layout: Layout<Extract<Command, { kind: K }>>];
};

/** What callers write, through the batches of a gateway. Tags never change, and are counted over both tables. */
const ofCallers = {
  Contribute: [contributionTag, { pack: packContribute, unpack: (raw) => unpackContribute(array(raw)) }],
  CreateInstance: [2, createInstanceLayout],
  SetStatus: [
    3,
    variant('SetStatus', {
      instance: text,
      status: text,
      reason: text,
      to: text,
      user: text,
      expectedVersion: nullable(number),
    }),
  ],
  SetParameters: [
    4,
    variant('SetParameters', {
      instance: text,
      configuration: jsonDocument(),
      reason: text,
      user: text,
      expectedVersion: nullable(number),
    }),
  ],
  SetDetails: [
    5,
    variant('SetDetails', {
      instance: text,
      name: nullable(text),
      description: nullable(text),
      user: text,
      expectedVersion: nullable(number),
    }),
  ],
  SetLinks: [
    6,
    variant('SetLinks', {
      instance: text,
      links: list(text),
      user: text,
      expectedVersion: nullable(number),
    }),
  ],
  Bind: [
    7,
    variant('Bind', {
      of: bindingOwner,
      owner: text,
      ids: list(text),
      instance: text,
      priority: nullable(number),
    }),
  ],
  Unbind: [8, variant('Unbind', { of: bindingOwner, owner: text, ids: list(text), instance: text })],
  SetBindingPriorities: [
    9,
    variant('SetBindingPriorities', {
      of: bindingOwner,
      owner: text,
      id: text,
      priorities: list(tuple<readonly [string, number]>(text, number)),
    }),
  ],
  OptIn: [
    11,
    variant('OptIn', {
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
  ],
  SetBrandAllowed: [
    12,
    variant('SetBrandAllowed', {
      instance: text,
      brand: text,
      allowed: flag,
      user: text,
      expectedVersion: trailing(number),
    }),
  ],
  AdjustPot: [
    13,
    variant('AdjustPot', {
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
  ],
  TriggerPot: [
    14,
    variant('TriggerPot', {
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
  ],
  ReleaseCredit: [32, variant('ReleaseCredit', decision)],
  RetryCredit: [33, variant('RetryCredit', decision)],
  ResolveCredit: [34, variant('ResolveCredit', decision)],
  CancelDebit: [38, variant('CancelDebit', decision)],
  BulkOptIn: [40, variant('BulkOptIn', { job: text, rows: list(bulkOptInRow), user: text })],
  SwitchModel: [
    41,
    variant('SwitchModel', {
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
  ],
  CancelSwitch: [43, variant('CancelSwitch', { instance: text, target: text, reason: text, user: text })],
} satisfies Partial<CommandLayouts>;

/** What the owner of a lane writes, or a role that moves money. */
const ofOwners = {
  SetSegment: [10, variant('SetSegment', { owner: text, segment: text, priority: nullable(number) })],
  SetRates: [
    15,
    variant('SetRates', {
      version: number,
      brand: text,
      base: text,
      multipliers: list(tuple<readonly [string, string, number | null]>(text, text, nullable(number))),
      updatedMs: number,
    }),
  ],
  SetBrand: [
    16,
    variant('SetBrand', {
      brand: text,
      salt: bytes,
      wallet: flag,
      provider: text,
      closeRounds: flag,
      verificationLimitAtoms: nullable(atoms),
      verificationCurrency: text,
      walletMustMatch: trailing(flag),
    }),
  ],
  OpenEpoch: [
    17,
    variant('OpenEpoch', { instance: text, epoch: number, seeds: list(committedSeed), beacon: bytes }),
  ],
  RevealEpoch: [18, variant('RevealEpoch', { instance: text, epoch: number, seed: bytes })],
  Tick: [19, variant('Tick', { instance: text })],
  Own: [20, variant('Own', { term: number, host: text, settings: since(nullable(engineSettings), null) })],
  UpgradeTo: [21, variant('UpgradeTo', { version: number })],
  Quarantine: [
    22,
    variant('Quarantine', { sequence: number, sha256: bytes, commands: number, reason: text, user: text }),
  ],
  DebitSettled: [
    30,
    variant('DebitSettled', {
      transactionId: text,
      result: word('debited', 'refused', 'cancelled'),
      expiresMs: trailing(number),
    }),
  ],
  CreditSettled: [
    31,
    variant('CreditSettled', {
      transactionIds: list(text),
      result: word('accepted', 'refused', 'unknown', 'exhausted'),
      reason: text,
    }),
  ],
  FlushSettled: [
    35,
    variant('FlushSettled', { instance: text, flushId: text, result: word('confirmed', 'failed') }),
  ],
  Continue: [42, variant('Continue', { job: text, step: number })],
} satisfies Partial<CommandLayouts>;

const layouts: CommandLayouts = { ...ofCallers, ...ofOwners };

/** Whether a command is one that callers may not write. */
export function isOfOwners(kind: string): boolean {
  return Object.hasOwn(ofOwners, kind);
}

const byTag: readonly (Layout<Command> | undefined)[] = tagTable();

/** A batch as plain values: `[id, gateway, [tag, command][]]`. */
export function packBatch(batch: CommandBatch): unknown {
  return [batch.batchId, batch.gateway, batch.commands.map(packCommand)];
}

/** Reads them. A command that this version cannot read becomes `Unreadable`. @throws TypeError for other values */
export function unpackBatch(raw: unknown): LoggedBatch {
  const [batchId, gateway, commands] = array(raw);
  return {
    batchId: bytes.unpack(batchId),
    gateway: text.unpack(gateway),
    commands: array(commands).map(unpackCommand),
  };
}

function packCommand(command: Command): unknown {
  const [tag, layout] = layouts[command.kind];
  return [tag, (layout as Layout<Command>).pack(command)];
}

function unpackCommand(raw: unknown): LoggedCommand {
  try {
    const [tag, value] = array(raw);
    const layout = byTag[tag as number];
    if (layout !== undefined) return layout.unpack(value);
  } catch {
    // The command must keep its place in the batch.
  }
  return { kind: 'Unreadable' };
}

function tagTable(): (Layout<Command> | undefined)[] {
  const table: (Layout<Command> | undefined)[] = [];
  for (const [tag, layout] of Object.values(layouts)) {
    if (table[tag] !== undefined) throw new Error(`two commands have the tag ${tag}`);
    table[tag] = layout as Layout<Command>;
  }
  return table;
}
