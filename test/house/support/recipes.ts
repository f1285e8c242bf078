import { differences, statusRows } from '../../gateway/api/operations/support/status-page.ts';
import { unusedExports } from './exports.ts';
import { type Read, unknownEvents, unknownKinds, untestedCommands, untestedRoutes } from './lists.ts';
import type { Module } from './modules.ts';

/** A copy of the repository in which a recipe was followed. */
export interface Copy {
  readonly read: Read;
  readonly tests: readonly string[];
  /** The modules of src, and all that may use their exports. */
  readonly own: readonly Module[];
  readonly readers: readonly Module[];
}

export interface Recipe {
  /** Its heading in CONTRIBUTING.md. */
  readonly heading: string;
  readonly maxFiles: number;
  /** What each file becomes; of one that is not there the text is empty. In CONTRIBUTING.md `<name>` stands for the name of a new file. */
  readonly files: Readonly<Record<string, (text: string) => string>>;
  /** What tests say of a copy where the compiler does not. */
  readonly faults: (copy: Copy) => readonly string[];
}

const route = 'PUT /config/instances/{instance_id}/dummy';
const [, path = ''] = route.split(' ');
const testOf = (text: string) => () => `import { test } from 'vitest';\ntest('dummy', () => void ${text});\n`;

const potType: Recipe = {
  heading: 'A new pot type, contribution type, payout rule or constraint',
  maxFiles: 10,
  files: {
    'src/messages/kinds.ts': insert(/PotTypeKind = /, "'Dummy' | "),
    'src/jackpot/rules/kinds/pot-types/<name>.ts': () =>
      "import type { PotType } from './pot-type.ts';\nimport { external } from './external.ts';\n\nexport const dummy: PotType = external;\n",
    'src/jackpot/rules/kinds/pot-types/index.ts': (text) =>
      `import { dummy } from './dummy.ts';\n${insert(/potTypes: [^\n]* = \{\n/, '  Dummy: dummy,\n')(text)}`,
    'src/contracts/configuration/kinds.ts': insert(
      /potTypeShapes: [^\n]* = \{\n/,
      "  Dummy: { input: z.strictObject({}), shape: z.strictObject({}), rule: 'A dummy.' },\n",
    ),
    'verifier/src/triggers.ts': insert(/switch \(name\) \{\n/, "    case 'Dummy':\n"),
    'docs/jpd1.md': insert(/\| kind \| num \| den \|\n\|---\|---\|---\|\n/, '| Dummy | not evaluated | |\n'),
    'test/jackpot/oracle/triggers.ts': insert(
      /potTypes: [^\n]* = \{\n/,
      '  Dummy: { sample: () => ({}), odds: () => null },\n',
    ),
    'docs/rules/triggers.md': insert(
      /\| kind \| parameters [^\n]*\n[^\n]*\n/,
      '| `Dummy` | – | never drawn | |\n',
    ),
    'web/src/verify/draw-story.tsx': insert(/kinds: [^\n]* = \{\n/, "  Dummy: 'never',\n"),
    'test/jackpot/rules/<name>.test.ts': testOf("'Dummy'"),
  },
  faults: ({ read, tests }) => unknownKinds(read, tests),
};

const endpoint: Recipe = {
  heading: 'A new endpoint',
  maxFiles: 12,
  files: {
    'src/gateway/api/operations/admin/<resource>/<name>.ts': () => `import * as z from 'zod';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { defineChange } from '../../../operation/operation.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance } from '../shared/owner-access.ts';

export const dummyOperation = defineChange('configure', {
  id: 'instances.dummy',
  name: 'Dummy',
  route: '${route}',
  input: { params: z.strictObject({ instance_id: ownIdField }) },
  refusals: [404],
  async handle({ principal, params }, context) {
    const known = requireInstance(context, principal, 'configure', params.instance_id);
    const instance = params.instance_id;
    requireSuccess(await context.lanes.send(known.lane, { kind: 'Dummy', instance, user: principal.subject }));
    return { status: 204 };
  },
});
`,
    'src/gateway/api/operations/index.ts': (text) =>
      `import { dummyOperation } from './admin/instances/dummy.ts';\n${insert(/: readonly Operation\[\] = \[\n/, '  dummyOperation,\n')(text)}`,
    'docs/status.md': insert(
      /\n\| Set the links of an instance/,
      `\n| Dummy | \`${route}\` | built | |`,
      true,
    ),
    'test/gateway/api/tenancy/rows/instances.ts': insert(
      /instances: Rows = \{\n/,
      `  '${route}': { may: config, names: ['instance'] },\n`,
    ),
    'test/gateway/api/operations/admin/<name>.test.ts': testOf(`'${path}'`),
  },
  faults({ read, tests, own, readers }) {
    const rows = statusRows(read('docs/status.md'));
    const page = differences(rows, { numbered: {}, unnumbered: [], running: new Set([route]) });
    return [
      ...unusedDummies(own, readers),
      ...page.filter((each) => each.startsWith(route)),
      // test/gateway/api/tenancy/matrix.test.ts "has a row for each route, and none without one"
      ...(read('test/gateway/api/tenancy/rows/instances.ts').includes(`'${route}'`) ? [] : ['no row']),
      ...untestedRoutes([path], read, tests),
    ];
  },
};

const command: Recipe = {
  heading: 'A new command or outcome',
  maxFiles: 6,
  files: {
    'src/messages/instance-commands.ts': (text) =>
      `${insert(/InstanceCommand =\n/, '  | Dummy\n')(text)}\nexport interface Dummy {\n  readonly kind: 'Dummy';\n  readonly instance: string;\n  readonly user: string;\n}\n`,
    'src/messages/codec/commands.ts': insert(
      /const ofCallers = \{\n/,
      "  Dummy: [99, variant('Dummy', { instance: text, user: text })],\n",
    ),
    'src/jackpot/commands/administration/<name>.ts':
      () => `import type { Dummy } from '../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

export function dummy(state: LaneState, command: Dummy): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  return { kind: 'Done', instance: instance.id, version: instance.version };
}
`,
    'src/jackpot/lane/versions/execute.ts': (text) =>
      `import { dummy } from '../../commands/administration/dummy.ts';\n${insert(/\} = \{\n/, '  Dummy: dummy,\n')(text)}`,
    'test/messages/arbitraries.ts': insert(
      /const byKind: [^\n]*\n?[^\n]*= \{\n/,
      "  Dummy: of('Dummy', { instance: text, user: text }),\n",
    ),
    'test/jackpot/commands/<name>.test.ts': testOf("'Dummy'"),
  },
  faults: ({ read, tests }) => untestedCommands(read, tests),
};

const feedEvent: Recipe = {
  heading: 'A new feed event',
  maxFiles: 6,
  files: {
    'src/contracts/feeds/feed-events.ts': insert(
      /jackpotEvents = \{\n/,
      "  DummyEvent: { description: 'A dummy.', data: z.strictObject({ epoch: z.int() }) },\n",
    ),
    'src/directory/events/<name>.ts': () => `import type { FeedEventMaker } from './feed-event.ts';

export const dummyEvent: FeedEventMaker<'EpochRevealed'> = (event) => ({
  type: 'DummyEvent',
  instance: event.instance,
  counter: null,
  audience: { kind: 'everyone', named: [] },
  content: () => ({ owner: 'operator', data: {} }),
});
`,
    'src/directory/events/index.ts': (text) =>
      `import { dummyEvent } from './dummy.ts';\n${text.replace('EpochRevealed: null', 'EpochRevealed: dummyEvent')}`,
    'docs/rules/feeds.md': insert(
      /\n\| JackpotUpdate \|/,
      '\n| DummyEvent | nothing | everyone in scope |',
      true,
    ),
    'test/fanout/feeds/<name>.test.ts': testOf("'DummyEvent'"),
  },
  faults: ({ read, tests, own, readers }) => [...unknownEvents(read, tests), ...unusedDummies(own, readers)],
};

/** The endpoint of the fixture sends the command of the fixture: both recipes are followed for one change. */
export const recipes: readonly Recipe[] = [
  potType,
  {
    ...endpoint,
    files: { ...endpoint.files, ...command.files },
    faults: (copy) => [...endpoint.faults(copy), ...command.faults(copy)],
  },
  feedEvent,
];
export const sections: readonly Recipe[] = [potType, endpoint, command, feedEvent];

/** Others are the business of exports.test.ts. */
function unusedDummies(own: readonly Module[], readers: readonly Module[]): string[] {
  return unusedExports(own, readers).filter((place) => /dummy/i.test(place));
}

/** Puts a text behind the first place that the pattern finds, or before it. */
function insert(pattern: RegExp, added: string, isBefore = false): (text: string) => string {
  return (text) => {
    const found = pattern.exec(text);
    if (found === null) throw new Error(`There is no ${pattern}.`);
    const at = isBefore ? found.index : found.index + found[0].length;
    return text.slice(0, at) + added + text.slice(at);
  };
}
