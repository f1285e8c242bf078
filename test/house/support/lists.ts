import { listFiles } from './modules.ts';

/** What closed lists name, and where else each member has to be. A file's text by its path: of the repository, or of a changed copy. */
export type Read = (file: string) => string;

const kindFamilies = [
  ['PotTypeKind', ['verifier/src/triggers.ts', 'docs/rules/triggers.md', 'web/src/verify/draw-story.tsx']],
  ['PayoutRuleKind', ['verifier/src/community.ts', 'docs/rules/wins-and-reseeding.md']],
  ['WinConstraintKind', ['verifier/src/constraints.ts', 'docs/rules/triggers.md']],
  ['ContributionTypeKind', ['verifier/src/rules.ts', 'docs/rules/configuration.md']],
] as const;

/** Kinds of a configuration that the verifier, the standard, a page or the tests of the engine lack. */
export function unknownKinds(read: Read, tests: readonly string[]): string[] {
  return kindFamilies.flatMap(([union, files]) => {
    const [, members = ''] = new RegExp(`type ${union} = ([^;]*);`).exec(read('src/messages/kinds.ts')) ?? [];
    const kinds = [...members.matchAll(/'(\w+)'/g)].map(([, kind = '']) => kind);
    const places = [...files, 'docs/jpd1.md'].map((file) => [file, read(file)] as const);
    return kinds.flatMap((kind) => [
      ...places.filter(([, text]) => !hasWord(text, kind)).map(([file]) => `${kind}: ${file}`),
      ...(isNamed(kind, engineTests(tests), read) ? [] : [`${kind}: no test of the engine`]),
    ]);
  });
}

/** Commands that callers or owners write and no test of the engine gives. */
export function untestedCommands(read: Read, tests: readonly string[]): string[] {
  const files = ['instance', 'lane', 'player', 'settlement'].map(
    (name) => `src/messages/${name}-commands.ts`,
  );
  const kinds = files.flatMap((file) =>
    [...read(file).matchAll(/readonly kind: '(\w+)'/g)].map(([, kind = '']) => kind),
  );
  const engine = tests.filter((file) => /^test\/(jackpot|actors)\/(?!bounds|mixed)/.test(file));
  return kinds.filter((kind) => !isNamed(`'${kind}'`, engine, read));
}

/** Events of the feeds without a row of the rules, or that no test of the fan-out meets. */
export function unknownEvents(read: Read, tests: readonly string[]): string[] {
  const [, shapes = ''] =
    /jackpotEvents = \{([\s\S]*?)\n\}/.exec(read('src/contracts/feeds/feed-events.ts')) ?? [];
  const types = [...shapes.matchAll(/^ {2}(\w+): \{/gm)].map(([, type = '']) => type);
  const rules = read('docs/rules/feeds.md');
  const ofFanout = tests.filter((file) => file.startsWith('test/fanout/'));
  return [
    ...types.filter((type) => !rules.includes(`\n| ${type} |`)).map((type) => `${type}: docs/rules/feeds.md`),
    ...types
      .filter((type) => !isNamed(type, ofFanout, read))
      .map((type) => `${type}: no test of the fan-out`),
  ];
}

/** Routes that no test asks but those that ask all of them. */
export function untestedRoutes(paths: readonly string[], read: Read, tests: readonly string[]): string[] {
  const asking = tests.filter(
    (file) => /^test\/(gateway|e2e|web|sdk)\//.test(file) && !/\/(tenancy|support)\/|shown-again/.test(file),
  );
  const texts = asking.map(read);
  return paths.filter((path) => {
    const [, tail = path] = /^\/[\w]+(\/.*)/.exec(path) ?? [];
    const pattern = tail.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[a-z_]+\}/g, '[^\'"`\\n]*?');
    const last = path.slice(path.lastIndexOf('/'));
    return !texts.some((text) => new RegExp(`(${pattern}|\\w\\}${last})['"\`?\\\\$]`).test(text));
  });
}

/** The files of the tests. */
export function testFiles(): string[] {
  return listFiles(['test']).filter((file) => file.endsWith('.ts') && !file.startsWith('test/house/'));
}

/** Tests of single behaviours: those of random histories name every kind anyway. */
function engineTests(tests: readonly string[]): string[] {
  return tests.filter((file) => /^test\/jackpot\/(commands|rules|lane|state)\//.test(file));
}

function isNamed(name: string, files: readonly string[], read: Read): boolean {
  return files.some((file) => hasWord(read(file), name));
}

/** `Interval` is not named where only `MinInterval` is. */
function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<!\\w)${word}(?!\\w)`).test(text);
}
