import { expect, test } from 'vitest';
import { files, namesOf } from './support/vocabulary.ts';

/** One word a thing, and the field's: docs/glossary.md has the words. These are given up, and this is what to write instead. */
const retired: Readonly<Record<string, string>> = {
  AddressStanding: 'AddressReputation',
  Anchor: 'UpgradeCork',
  contributeVouched: 'contributeAuthenticated',
  drawAgain: 'recomputeDraw',
  Duties: 'OwnerTasks',
  dutiful: 'withOwnerTasks',
  furnish: 'assemble',
  furtherPage: 'continuationPage',
  furtherText: 'continuationText',
  GatePorts: 'AdmissionPorts',
  gears: 'speed',
  Gears: 'AdaptiveSpeed',
  giveWork: 'addWork',
  headline: 'liveValues',
  Headline: 'LiveValues',
  headlines: 'allLiveValues',
  heard: 'observe',
  hears: 'subscribes',
  held: 'cached, buffered, paused or deferred',
  Held: 'the same',
  HeldReplies: 'DeferredReplies',
  LaneRoom: 'LaneCapacity',
  Lanes: 'KeystreamWords',
  leaveOut: 'removeFrom',
  lookEveryMs: 'pollIntervalMs',
  mayHear: 'mayReceive',
  most: 'max',
  noteDuty: 'noteOwnerTask',
  ownerEpoch: 'ownerTerm',
  pauseItself: 'suspendInstance',
  payAgain: 'recomputePayout',
  positionOfKey: 'lookUpIdempotencyKey',
  putIn: 'addTo',
  rehearse: 'warmUp',
  Replica: 'LaneReplica or ReadModel',
  ReplicaFeed: 'ReadModelFeed',
  shareAgain: 'recomputeShares',
  standing: 'pending, or reputation',
  sweep: 'closeExpired',
  takesDebits: 'requiresDebits',
  tell: 'announce, notify or report',
  telling: 'announcing',
  tellInstance: 'announceInstance',
  tells: 'announces',
  told: 'announced, or reported',
  tryAgainAfterMs: 'retryDelayMs',
  untold: 'unannounced',
  untoldBindings: 'unannouncedBindings',
  untoldInstances: 'unannouncedInstances',
  unvouched: 'unauthenticated',
  vouched: 'authenticated',
  VouchedPlayer: 'AuthenticatedIdentity',
  whoever: 'name the party',
  wire: 'fastPath',
  Wire: 'FastPath',
  wordCount: 'balanceCount',
};

/** Names of stored snapshots and of the simulator's report, which do not change. */
const published: Readonly<Record<string, RegExp>> = {
  ownerEpoch: /^src\/jackpot\/snapshot\//,
  telling: /^src\/jackpot\/snapshot\//,
  untoldBindings: /^src\/jackpot\/snapshot\//,
  untoldInstances: /^src\/jackpot\/snapshot\//,
  most: /^src\/cli\/simulate\//,
};

test('no identifier is a word that was given up', () => {
  const found = files.flatMap((file) =>
    [...namesOf(file).all]
      .filter((name) => Object.hasOwn(retired, name) && !published[name]?.test(file))
      .map((name) => `${file}: ${name}; write ${retired[name]}`),
  );
  expect(found).toEqual([]);
});

test('limits are named max… or min…', () => {
  const pattern = /^(most|longest|largest|fewest|least|deepest)[A-Z]/;
  const found = files.flatMap((file) =>
    [...namesOf(file).all]
      .filter((name) => pattern.test(name) && !name.endsWith('Count'))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('constants are camelCase', () => {
  const found = files.flatMap((file) =>
    [...namesOf(file).constants]
      .filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
