import { parseAmount } from '../../../src/lib/money.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type {
  CreateInstance,
  InstanceConfigurationDocument,
  SetStatus,
} from '../../../src/messages/instance-commands.ts';
import type { OpenEpoch, SetBrand, SetRates } from '../../../src/messages/lane-commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import { testHashing } from './hashing.ts';

export const brand = 'op:main';
export const salt = new Uint8Array(32).fill(7);

/** Atoms of a decimal. */
export function atoms(text: string): bigint {
  const parsed = parseAmount(text);
  if (!parsed.ok) throw new Error(`not an amount: ${text}`);
  return parsed.atoms;
}

export function contribution(changes: Partial<Contribute> = {}): Contribute {
  return {
    kind: 'Contribute',
    contributionId: new Uint8Array(16),
    target: { type: 'instance', id: 'jackpot' },
    operator: 'op',
    brand,
    player: 'p1',
    country: 'DE',
    segments: [],
    baseWagerAtoms: atoms('1'),
    currency: 'EUR',
    gameround: 'round',
    idempotencyKey: null,
    linked: false,
    wallet: false,
    maxBetAtoms: null,
    bonus: null,
    vertical: '',
    callback: null,
    metadata: null,
    eventMetadata: null,
    provider: '',
    origin: null,
    ...changes,
  };
}

export function createInstance(
  configuration: InstanceConfigurationDocument,
  changes: Partial<CreateInstance> = {},
): CreateInstance {
  return {
    kind: 'CreateInstance',
    instance: 'jackpot',
    group: 'op',
    owner: 'op',
    templateOwner: 'op',
    template: 'template',
    name: 'Jackpot',
    description: '',
    gameCode: 'slot-1',
    timestampStartMs: null,
    timestampEndMs: null,
    configuration,
    user: 'admin',
    ...changes,
  };
}

export function setStatus(status: string, instance = 'jackpot'): SetStatus {
  return {
    kind: 'SetStatus',
    instance,
    status,
    reason: 'test',
    to: '',
    user: 'admin',
    expectedVersion: null,
  };
}

export function setBrand(changes: Partial<SetBrand> = {}): SetBrand {
  return {
    kind: 'SetBrand',
    brand,
    salt,
    wallet: false,
    provider: '',
    closeRounds: false,
    verificationLimitAtoms: null,
    verificationCurrency: 'EUR',
    ...changes,
  };
}

export function setRates(
  multipliers: readonly (readonly [string, string, number | null])[],
  changes: Partial<SetRates> = {},
): SetRates {
  return { kind: 'SetRates', version: 1, brand: '', base: 'EUR', multipliers, updatedMs: 0, ...changes };
}

/** The seed of an epoch in tests. */
export function seedOf(instance: string, epoch: number, run = 0): Uint8Array {
  return testHashing.sha256(Buffer.from(`seed ${run} of ${instance} ${epoch}`));
}

export function openEpoch(instance: string, epoch: number, epochs: readonly number[], run = 0): OpenEpoch {
  const id = testHashing.sha256(Buffer.from(instance)).slice(0, 16);
  const number = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(value));
    return bytes;
  };
  return {
    kind: 'OpenEpoch',
    instance,
    epoch,
    beacon: new Uint8Array(0),
    seeds: epochs.map((each) => {
      const seed = seedOf(instance, each, run);
      const commit = testHashing.sha256(Buffer.from('JPD1/commit'), id, number(each), seed);
      return { epoch: each, commit, sealed: seed, keyId: 'test' };
    }),
  };
}

/** Bytes that nobody knew before, for an epoch that is committed. */
export function handIn(
  instance: string,
  epoch: number,
  beacon = testHashing.sha256(Buffer.from(`beacon of ${instance} ${epoch}`)),
): OpenEpoch {
  return { kind: 'OpenEpoch', instance, epoch, seeds: [], beacon };
}

/** Everything that brings an instance to Active. */
export function running(
  configuration: InstanceConfigurationDocument,
  instance = 'jackpot',
  run = 0,
): readonly Command[] {
  return [
    setBrand(),
    createInstance(configuration, { instance }),
    openEpoch(instance, 0, [0, 1, 2], run),
    setStatus('Active', instance),
  ];
}
