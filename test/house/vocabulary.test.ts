import { Visitor } from 'vite';
import { expect, test } from 'vitest';
import { type Module, modulesOf } from './support/modules.ts';

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

/** Names of stored snapshots, of messages and of the simulator's report, which do not change. */
const published: Readonly<Record<string, RegExp>> = {
  asker: /^src\/contracts\/payments\/player-authentication\.ts$/,
  ownerEpoch: /^src\/jackpot\/lane\/snapshots\//,
  telling: /^src\/jackpot\/lane\/snapshots\//,
  untoldBindings: /^src\/jackpot\/lane\/snapshots\//,
  untoldInstances: /^src\/jackpot\/lane\/snapshots\//,
  most: /^(tools\/simulate|src\/simulation)\//,
};

function isPublished(name: string, file: string): boolean {
  return Object.hasOwn(published, name) && published[name]?.test(file) === true;
}

/** Words that a comment or a name does not have, whatever stands beside them. */
const retiredWords: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/byHand\b|ByHand/, 'OnBehalf'],
  [/\basker|Asker/, 'caller'],
  [/\bdesk\b|Desk\b/, 'the admin API'],
];
const retiredInComments: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^(Of|It) /, 'begin with the noun'],
  [/\bso many\b/i, 'N'],
  [/\b(somebody|nobody|whoever)\b/i, 'name the party'],
  [/\bturn(s|ed)? away\b/i, 'reject'],
  [/\brests\b/, 'is idle'],
];

const modules = modulesOf(['src', 'tools', 'verifier/src', 'bench']).map((module) => ({
  ...module,
  ...namesOf(module),
}));

test('no identifier is a word that was given up', () => {
  const found = modules.flatMap(({ file, names }) =>
    [...names]
      .filter((name) => Object.hasOwn(retired, name) && !isPublished(name, file))
      .map((name) => `${file}: ${name}; write ${retired[name]}`),
  );
  expect(found).toEqual([]);
});

// Caught: `asker`, `desk` and 170 comments that opened with "Of" or "It", which a reader has to read twice.
test('no name and no comment has a word that was given up', () => {
  const found = modules
    .filter(({ file }) => /^(src|tools|bench)\//.test(file))
    .flatMap((module) => [
      ...[...module.names]
        .filter((name) => !isPublished(name, module.file))
        .flatMap((name) => said(name, retiredWords, module.file)),
      ...commentsOf(module).flatMap((text) =>
        said(text, [...retiredWords, ...retiredInComments], module.file),
      ),
    ]);
  expect(found).toEqual([]);
});

test('no comment is wider than the code', () => {
  const ours = modules.filter(({ file }) => !file.startsWith('verifier/'));
  const wide = ours.flatMap(({ file, text, comments }) =>
    comments
      .flatMap(({ start, end }) => text.slice(text.lastIndexOf('\n', start) + 1, end).split('\n'))
      .filter((line) => line.length > 110 && !line.includes('://'))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(wide).toEqual([]);
});

test('limits are named max… or min…', () => {
  const pattern = /^(most|longest|largest|fewest|least|deepest)[A-Z]/;
  const found = modules.flatMap(({ file, names }) =>
    [...names]
      .filter((name) => pattern.test(name) && !name.endsWith('Count'))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('constants are camelCase', () => {
  const found = modules.flatMap(({ file, constants }) =>
    [...constants].filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

function said(text: string, words: typeof retiredWords, file: string): string[] {
  return words
    .filter(([pattern]) => pattern.test(text))
    .map(([, instead]) => `${file}: ${text.slice(0, 80)}; write: ${instead}`);
}

/** The texts of comments; lines of // that follow each other are one. */
function commentsOf({ text, comments }: Module): string[] {
  const joined: string[] = [];
  let behind = -1;
  for (const { type, value, start, end } of comments) {
    const goesOn = type === 'Line' && behind >= 0 && /^\n[ \t]*$/.test(text.slice(behind, start));
    const plain = value.replace(/^\s*\*? ?/gm, '').trim();
    if (goesOn) joined.push(`${joined.pop()} ${plain}`);
    else joined.push(plain);
    behind = type === 'Line' ? end : -1;
  }
  return joined;
}

/** The names in a module's code, and those that it declares as constants. */
function namesOf({ parsed }: Module): {
  readonly names: ReadonlySet<string>;
  readonly constants: ReadonlySet<string>;
} {
  const names = new Set<string>();
  const constants = new Set<string>();
  new Visitor({
    Identifier: ({ name }) => void names.add(name),
    PrivateIdentifier: ({ name }) => void names.add(name),
    VariableDeclarator: ({ id }) => {
      if (id.type === 'Identifier') constants.add(id.name);
    },
  }).visit(parsed.program);
  return { names, constants };
}
