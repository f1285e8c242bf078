import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommands } from '../../../src/actors/replica/channel-commands.ts';
import { readableBatch } from '../../../src/actors/replica/quarantines.ts';
import { halts, mayQuarantine } from '../../../src/contracts/lanes/halts.ts';
import { concatenate, toHex } from '../../../src/lib/bytes.ts';
import { crc32 } from '../../../src/lib/hashes.ts';
import { decodeOutcomeRecord, encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import {
  brand,
  contribution,
  createInstance,
  setBrand,
  setRates,
  setStatus,
} from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { command as anyCommand } from '../../messages/arbitraries.ts';
import { engines } from '../../sim/sim-system.ts';
import { SimLanes } from '../../support/sim-lanes.ts';

const runs = Number(process.env.POISON_RUNS ?? 40);
const maxHalts = 12;

let keys = 0;
function paid(player = 'p1'): Command {
  keys += 1;
  const contributionId = new Uint8Array(16);
  new DataView(contributionId.buffer).setUint32(0, keys);
  return contribution({ contributionId, player });
}

/** Both lanes have an Active instance that has taken a contribution. */
async function opened(seed: number): Promise<SimLanes> {
  const lanes = new SimLanes(seed);
  lanes.startHost();
  await lanes.until(() => lanes.host.unready() === null, 'the lanes are owned');
  for (const lane of [0, 1]) {
    await lanes.ask(lane, [setBrand(), createInstance(threePots())]);
    await lanes.ask(lane, [setStatus('Active')]);
    await lanes.ask(lane, [paid()]);
  }
  return lanes;
}

/** Quarantines whatever halts the lane until it serves again; the messages that were refused. */
async function healed(lanes: SimLanes, lane: number): Promise<Set<number>> {
  const refused = new Set<number>();
  await lanes.settled(lane);
  while (lanes.halted(lane) !== null) {
    const code = lanes.halted(lane) as string;
    expect(Object.keys(halts)).toContain(code);
    expect(mayQuarantine(code), lanes.alarms.join('\n')).toBe(true);
    expect(refused.size).toBeLessThan(maxHalts);
    refused.add(await lanes.quarantineHalted(lane));
    await lanes.settled(lane);
  }
  return refused;
}

async function serves(lanes: SimLanes, lane: number): Promise<void> {
  const reply = await lanes.ask(lane, [paid('another')]);
  expect(reply.outcomes).toHaveLength(1);
}

/**
 * What OUT says is what any replica makes of the log, and the state is that of a log in which each quarantined message had
 * been commands that nobody knows.
 */
async function expectOneHistory(lanes: SimLanes, lane: number, refused: ReadonlySet<number>): Promise<void> {
  const replica = await lanes.replayed(lane);
  // The owner may go on meanwhile: what it does by itself comes behind these.
  const commands = lanes.server.lane(lane).commands.slice(0, replica.appliedSequence);
  const stored = () => lanes.server.lane(lane).outcomes.length >= commands.length;
  await lanes.until(stored, 'the outcomes are stored');
  const outcomes = lanes.server.lane(lane).outcomes.slice(0, commands.length);
  expect(outcomes.map(({ sequence }) => sequence)).toEqual(commands.map(({ sequence }) => sequence));
  expect(toHex(decodeOutcomeRecord(outcomes.at(-1)!.bytes).laneHead)).toBe(toHex(replica.laneHead));
  const other = engines.create();
  for (const message of commands) {
    const { sequence, timestampMs } = message;
    const batch = readableBatch(message.bytes);
    if (!refused.has(sequence)) other.apply({ sequence, timestampMs, ...readCommands(message) });
    else {
      const unknown = Array.from(batch?.commands ?? [], () => ({ kind: 'Unreadable' }) as const);
      const made = other.apply({ sequence, timestampMs, commands: unknown });
      const record = decodeOutcomeRecord(outcomes[sequence - 1]!.bytes);
      expect(record.outcomes.map(({ kind }) => kind)).toEqual(made.outcomes.map(({ kind }) => kind));
    }
  }
  expect(stateOf(replica.engine)).toBe(stateOf(other));
}

function stateOf(engine: { snapshot(): Iterable<Uint8Array> }): string {
  return toHex(concatenate([...engine.snapshot()]));
}

async function survives(seed: number, write: (lanes: SimLanes) => void): Promise<void> {
  const lanes = await opened(seed);
  write(lanes);
  await serves(lanes, 1);
  const refused = await healed(lanes, 0);
  // Another process knows the same of the log.
  lanes.startHost();
  for (const sequence of await healed(lanes, 0)) refused.add(sequence);
  await serves(lanes, 0);
  await serves(lanes, 1);
  expect(lanes.halted(1), lanes.alarms.join('\n')).toBeNull();
  await expectOneHistory(lanes, 0, refused);
}

const good = encodeCommandBatch({
  batchId: new Uint8Array(16).fill(9),
  gateway: 'test',
  commands: [paid(), paid()],
});

/** The checksum is that of the changed bytes: only the layout can tell. */
function sealed(payload: Uint8Array): Uint8Array {
  const frame = Buffer.alloc(5 + payload.length);
  frame[0] = 1;
  frame.writeUInt32BE(crc32(payload), 1);
  frame.set(payload, 5);
  return new Uint8Array(frame);
}

const mutated = fc
  .array(fc.tuple(fc.nat(good.length - 6), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 })
  .map((changes) => {
    const payload = good.slice(5);
    for (const [at, value] of changes) payload[at] = value;
    return sealed(payload);
  });
const storedBytes = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.uint8Array({ maxLength: 64 }).map(sealed),
  mutated,
  fc.nat(good.length).map((length) => good.slice(0, length)),
  fc.constant(new Uint8Array(0)),
);

const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  -(2 ** 60),
  1e308,
);
const oddAtoms = fc.constantFrom(0n, -1n, 10n ** 30n, 10n ** 2000n, -(10n ** 400n));
const oddBytes = fc.constantFrom(
  new Uint8Array(0),
  new Uint8Array(1),
  new Uint8Array(16),
  new Uint8Array(70_000),
);
const oddText = fc.constantFrom(
  '',
  'jackpot',
  '__proto__',
  '\u0000',
  '\ud800',
  'x'.repeat(40_000),
  'switch/jackpot',
);
const configuration = fc.oneof(
  fc.constantFrom(null, undefined, 0, '', [], {}, [[[]]]),
  fc
    .tuple(
      fc.constantFrom(...Object.keys(threePots()), 'other'),
      fc.constantFrom(Number.NaN, -0, 7n, new Uint8Array(3), new Date(0)),
    )
    .map(([name, odd]) => ({ ...threePots(), [name]: odd })),
  fc
    .dictionary(fc.constantFrom(...Object.keys(threePots())), fc.jsonValue())
    .map((odd) => ({ ...threePots(), ...odd })),
);

/** Each member of a well-formed command in turn made odd, where that is a member of the kind that it names. */
const oddened = fc
  .tuple(anyCommand, fc.nat(20), oddNumber, oddAtoms, oddBytes, oddText, configuration)
  .map(([command, at, number, atoms, bytes, text, odd]) => {
    const record = { ...command, ...('instance' in command ? { instance: 'jackpot' } : {}) } as Record<
      string,
      unknown
    >;
    const names = Object.keys(record).filter((name) => name !== 'kind');
    const name = names[at % Math.max(1, names.length)];
    if (name === undefined) return record as unknown as Command;
    const value = record[name];
    if (name === 'configuration') record[name] = odd;
    else if (typeof value === 'number') record[name] = number;
    else if (typeof value === 'bigint') record[name] = atoms;
    else if (value instanceof Uint8Array) record[name] = bytes;
    else if (typeof value === 'string') record[name] = text;
    else if (Array.isArray(value) && value.length > 0) record[name] = Array(3000).fill(value[0]);
    return record as unknown as Command;
  });

const forged: readonly Command[] = [
  setRates([['EUR', '0', null]]),
  setRates(
    [
      ['USD', '0', null],
      ['USD', '-1', null],
      ['EUR', 'x', Number.NaN],
    ],
    { version: 2 ** 53, updatedMs: Number.NaN },
  ),
  { kind: 'Continue', job: 'raffle/jackpot', step: 0 },
  { kind: 'Continue', job: 'nothing', step: Number.NaN },
  { kind: 'OpenEpoch', instance: 'jackpot', epoch: 7, seeds: [], beacon: new Uint8Array(3) },
  {
    kind: 'OpenEpoch',
    instance: 'jackpot',
    epoch: 1,
    seeds: [{ epoch: 3, commit: new Uint8Array(1), sealed: new Uint8Array(0), keyId: 'nowhere' }],
    beacon: new Uint8Array(0),
  },
  { kind: 'RevealEpoch', instance: 'jackpot', epoch: 0, seed: new Uint8Array(0) },
  { kind: 'RevealEpoch', instance: 'jackpot', epoch: 99, seed: new Uint8Array(32) },
  { kind: 'DebitSettled', transactionId: '1', result: 'debited' },
  { kind: 'CreditSettled', transactionIds: ['1', '1', ''], result: 'unknown', reason: '' },
  { kind: 'FlushSettled', instance: 'jackpot', flushId: 'none', result: 'confirmed' },
  { kind: 'Own', term: Number.NaN, host: 'stranger', settings: null },
  { kind: 'Own', term: 1e15, host: 'stranger', settings: { epochMs: 0, epochSequences: 0 } },
  { kind: 'UpgradeTo', version: 2 },
  { kind: 'UpgradeTo', version: Number.NaN },
  { kind: 'Quarantine', sequence: 1, sha256: new Uint8Array(32), commands: 5, reason: '', user: '' },
  { kind: 'Tick', instance: 'jackpot' },
  { kind: 'NoSuchKind', instance: 'jackpot' } as unknown as Command,
  contribution({ baseWagerAtoms: -1n }),
  contribution({ baseWagerAtoms: 10n ** 2000n }),
  contribution({ target: { type: 'source', id: 'x'.repeat(100_000) }, brand }),
];

describe('a message that nobody should have stored', () => {
  it('random and mutated bytes: refused or one lane halted, which a quarantine brings back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(storedBytes, { minLength: 1, maxLength: 4 }), (seed, messages) =>
        survives(seed, (lanes) => {
          for (const bytes of messages) {
            lanes.append(0, bytes);
            lanes.send(0, [paid()]);
          }
        }),
      ),
      { numRuns: runs },
    );
  });

  it('garbage on each of the subjects', async () => {
    for (const channel of ['batch', 'own', 'control', 'quarantine'] as const) {
      await survives(channel.length, (lanes) => {
        lanes.append(0, new Uint8Array([1, 2, 3, 4, 5, 6]), channel);
        lanes.send(0, [paid()]);
      });
    }
  });

  it('well-formed but odd commands, on any subject: refused, or one lane halted', async () => {
    const odd = fc.oneof(oddened, fc.constantFrom(...forged), anyCommand);
    const channel = fc.constantFrom('batch' as const, 'batch' as const, 'control' as const);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.array(fc.tuple(channel, fc.array(odd, { maxLength: 4 })), { minLength: 1, maxLength: 5 }),
        (seed, messages) =>
          survives(seed, (lanes) => {
            for (const [through, commands] of messages) {
              const bytes = encoded(commands);
              if (bytes !== null) lanes.append(0, bytes, through);
              lanes.send(0, [paid()]);
            }
          }),
      ),
      { numRuns: runs },
    );
  });

  it.each(forged.map((command, index) => [index, command.kind, command] as const))(
    'a forged command %i, %s',
    async (_index, _kind, command) => {
      await survives(1, (lanes) => {
        const bytes = encoded([paid(), command, paid()]);
        if (bytes !== null) lanes.append(0, bytes);
      });
    },
  );
});

/** null: the encoder itself refuses it, so nobody can have stored it. */
function encoded(commands: readonly Command[]): Uint8Array | null {
  try {
    return encodeCommandBatch({ batchId: new Uint8Array(16), gateway: 'test', commands });
  } catch {
    return null;
  }
}
