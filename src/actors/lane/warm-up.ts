import { createUpgradedLane, type LaneEngine, restoreLane } from '../../jackpot/lane/lane.ts';
import { utf8 } from '../../lib/bytes.ts';
import { HashIndex } from '../../lib/hash-index.ts';
import { sha256 } from '../../lib/hashes.ts';
import type { Hashing } from '../../lib/hashing.ts';
import { atomsPerUnit } from '../../lib/money.ts';
import { finish } from '../../lib/turns.ts';
import { encodeCommandBatch } from '../../messages/codec/codec.ts';
import type { Command } from '../../messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../messages/instance-commands.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import type { CommandChannel } from '../../ports.ts';
import { seedCommit } from '../epochs/keys/epoch-seeds.ts';
import { createHashing } from '../epochs/keys/hashing.ts';
import { plainContribution } from '../replica/plain-contribution.ts';
import { firstLaneHead, Replica } from '../replica/replica.ts';

const players = 1000;
const messages = 24;
const contributionsPerMessage = 80;
const messagesPerWin = 6;
const largeTable = 20_000;
/** Passes while the lane is restored: keys that come this much later begin another part of their table. */
const awayMs = 66_000_000;

/** As large as real ones: code that was compiled for small numbers is thrown away later. */
const beganMs = 1_700_000_000_000;
const batchId = new Uint8Array(16);
/** An instance's id is as long as this: a longer text is read by other code than a short one. */
const instance = '00000000-0000-4000-8000-000000000000';
const operator = 'warm-up';
const brand = 'warm-up:main';
const settings = { epochMs: 86_400_000, epochSequences: 2 ** 20 };
const payoutLimit = { max_number_of_payouts: 100 };
const configuration: InstanceConfigurationDocument = {
  currency: 'EUR',
  jackpot_type: 'Jackpot',
  contribution_rules: { contribution_type: { Percentage: '0.01' } },
  house_pot: { contribution_type: { Percentage: '0.05' } },
  pots: [
    // The first is won some times; with the odds of the second a drawn number is often nearly as small as one
    // that wins.
    ...[
      { id: 'mini', odds: 1_000 },
      { id: 'major', odds: 40_000 },
    ].map(({ id, odds }) => ({
      id,
      contribution: { Percentage: '0.3' },
      seed_contribution: { Percentage: '0.4' },
      seed_strategy: { initial_seed_value: '10', min_reseed_value: '10', fund_strategy: 'CollectAll' },
      pot_types: [{ HitRate: { max_magic_number: odds, cost_per_attempt: '0.01' } }],
    })),
    {
      id: 'pot',
      contribution: { Percentage: '0.3' },
      seed_contribution: { Percentage: '0.4' },
      seed_strategy: { initial_seed_value: '10', min_reseed_value: '10', fund_strategy: 'CollectAll' },
      pot_types: [{ HitRate: { max_magic_number: 1_000_000, cost_per_attempt: '1' } }, { External: {} }],
      payout_ruleset: {
        main_winner_percentage: '0.5',
        payout_rules: [
          {
            payout_percentage: '0.2',
            rule: { ActivePlayers: { period_before_win: 60_000, ...payoutLimit } },
          },
          { payout_percentage: '0.2', rule: { HighestContributors: payoutLimit } },
        ],
      },
    },
  ],
};

/**
 * Lanes that were played, for the life of the process. V8 drops compiled code with the objects that it was
 * compiled for, and the restoration of a large lane would collect these.
 */
const kept: Replica[] = [];

/**
 * Plays a jackpot of no consequence, from stored messages to their records, for about 100 ms. Code that runs
 * for the first time is read, compiled and slow: without this the first messages of a process, a replay among
 * them, and the first win that many share, would take two to three times as long as later ones. Returns how
 * many contributions and wins there were.
 */
export function warmUp(): { readonly contributions: number; readonly wins: number } {
  const hashing = createHashing({ unseal: (_keyId, sealed) => sealed });
  const seen = { contributions: 0, wins: 0 };
  let nowMs = beganMs;
  let replica = new Replica(0, createUpgradedLane(hashing, settings), hashing, firstLaneHead);
  kept.push(replica);
  const apply = (commands: readonly Command[], channel: CommandChannel = 'batch'): void => {
    const sequence = replica.appliedSequence + 1;
    nowMs += 1;
    const bytes = encodeCommandBatch({ batchId, gateway: '', commands });
    const { outcome } = replica.apply({ lane: 0, sequence, channel, timestampMs: nowMs, bytes });
    seen.contributions += outcome.outcomes.filter(({ kind }) => kind === 'Contributed').length;
    seen.wins += outcome.events.filter(({ kind }) => kind === 'Won').length;
  };
  growIndex();
  apply(opening(), 'control');
  for (const commands of openings(replica.engine, hashing)) apply(commands, 'control');
  for (let message = 0; message < messages; message++) {
    if (message === messages / 2) {
      // A replay goes on with a restored lane, whose objects V8 may tell from those of a new one.
      const restored = finish(restoreLane([...replica.engine.snapshot()], hashing, settings));
      replica = new Replica(0, restored, hashing, replica.laneHead);
      kept.push(replica);
      nowMs += awayMs;
    }
    apply(Array.from({ length: contributionsPerMessage }, (_, i) => contribution(message, i)));
    if (message % messagesPerWin === messagesPerWin - 1) apply([trigger(message)]);
  }
  return seen;
}

/** The commands that an owner and an administrator write before the first contribution. */
function openings(engine: LaneEngine, hashing: Hashing): readonly (readonly Command[])[] {
  return engine.epochTasks().map(({ open }) => {
    const seeds = (open?.commit ?? []).map((epoch) => {
      const sealed = hashing.sha256(utf8(`warm-up ${epoch}`));
      return { epoch, commit: seedCommit(hashing, instance, epoch, sealed), sealed, keyId: '' };
    });
    return [{ kind: 'OpenEpoch', instance, epoch: 0, seeds, beacon: new Uint8Array(0) }, activation];
  });
}

/** The index of a large table grows in another way than that of a small one. */
function growIndex(): void {
  const index = new HashIndex();
  for (let entry = 0; entry < largeTable; entry++) index.add(Math.imul(entry, 0x9e3779b1), entry);
}

const activation: Command = {
  kind: 'SetStatus',
  instance,
  status: 'Active',
  reason: '',
  to: '',
  user: '',
  expectedVersion: null,
};

function opening(): readonly Command[] {
  return [
    {
      kind: 'SetBrand',
      brand,
      salt: new Uint8Array(32),
      wallet: false,
      provider: '',
      closeRounds: false,
      verificationLimitAtoms: null,
      verificationCurrency: 'EUR',
    },
    {
      kind: 'CreateInstance',
      instance,
      group: operator,
      owner: operator,
      templateOwner: operator,
      template: operator,
      name: '',
      description: '',
      gameCode: '',
      timestampStartMs: null,
      timestampEndMs: null,
      configuration,
      user: '',
    },
  ];
}

function contribution(message: number, index: number): Contribute {
  const number = message * contributionsPerMessage + index;
  const key = sha256(utf8(`warm-up ${number}`), 16);
  return plainContribution({
    contributionId: key,
    instance,
    operator,
    brand,
    player: `player ${number % players}`,
    // A text that comes for the first time takes another way than one that was read before.
    country: `C${message}`,
    baseWagerAtoms: BigInt(1 + (number % 7)) * atomsPerUnit,
    currency: 'EUR',
    gameround: '',
    idempotencyKey: key,
  });
}

function trigger(message: number): Command {
  return {
    kind: 'TriggerPot',
    instance,
    pot: 'pot',
    brand,
    player: `player ${message}`,
    source: '',
    user: '',
    idempotencyKey: null,
  };
}
