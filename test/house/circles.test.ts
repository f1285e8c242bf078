import { expect, test } from 'vitest';
import { folderOf, type Import, imports } from './support/imports.ts';
import { type Module, modulesOf } from './support/modules.ts';

/** Files that import each other in a circle, types included, can only be read and changed together. */
const largestCircle = 4;

/** Reading the engine's state needs none of its rules. */
const stateMayImport = /^(lib|messages|jackpot\/state)\//;

const graph = graphOf(imports.flatMap(({ file, target }) => (target === null ? [] : [[file, target]])));

test('circles are found', () => {
  const edges = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d', 'f'], f: [], g: ['g', 'a'] };
  const found = circlesOf(new Map(Object.entries(edges)));
  expect(found.map((circle) => circle.toSorted().join(''))).toEqual(['abc', 'de']);
});

test(`no circle of imports has more than ${largestCircle} files`, () => {
  const circles = circlesOf(graph);
  expect(circles.filter((circle) => circle.length > largestCircle)).toEqual([]);
});

test('the engine and its messages have no circle of imports', () => {
  const pure = circlesOf(graph).filter((circle) => /^(jackpot|messages)$/.test(folderOf(circle[0] ?? '')));
  expect(pure).toEqual([]);
});

// Caught: 17 folders of the engine and 15 of the actors in one circle each; nobody could say which comes first.
test('the folders of a room, and of a tool, are floors: none imports one that imports it', () => {
  const modules = modulesOf(['src', 'tools']);
  expect(circlesOf(graphOf(foldersOf(modules)))).toEqual([]);
  const edges = foldersOf([
    moduleWith('src/a/b/c.ts', 'src/a/d/e/f.ts', 'src/a/b/g.ts', 'src/h/i.ts', 'src/a/j.ts'),
  ]);
  expect(edges).toEqual([
    ['src/a/b', 'src/a/d'],
    ['src/a/b', 'src/a'],
  ]);
});

test("the engine's state imports no rule", () => {
  const ofState = imports.filter(({ file }: Import) => file.startsWith('jackpot/state/'));
  const wrong = ofState.filter(({ target }) => target === null || !stateMayImport.test(target));
  expect(ofState.length).toBeGreaterThan(20);
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

/** What imports what within a room, by folder. Files that lie loose in a room are a folder together. */
function foldersOf(modules: readonly Pick<Module, 'file' | 'imports'>[]): (readonly [string, string])[] {
  const folder = (file: string) => file.split('/').slice(0, -1).slice(0, 3).join('/');
  const room = (file: string) => file.split('/').slice(0, 2).join('/');
  return modules.flatMap(({ file, imports: all }) =>
    all.flatMap(({ target }) => {
      if (target === null || room(target) !== room(file) || folder(target) === folder(file)) return [];
      return [[folder(file), folder(target)] as const];
    }),
  );
}

function moduleWith(file: string, ...targets: readonly string[]): Pick<Module, 'file' | 'imports'> {
  return { file, imports: targets.map((target) => ({ specifier: target, target, names: [] })) };
}

function graphOf(edges: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [from, to] of edges) found.set(from, [...(found.get(from) ?? []), to]);
  return found;
}

/** Strongly connected components of more than one file, the largest first (Tarjan). */
function circlesOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  /** The lowest number that can be reached from `file` over files on the stack. */
  function visit(file: string): number {
    const number = order.size;
    order.set(file, number);
    stack.push(file);
    let lowest = number;
    for (const next of edges.get(file) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, order.get(next) ?? lowest);
    }
    if (lowest === number) circles.push(stack.splice(stack.indexOf(file)));
    return lowest;
  }
  for (const file of edges.keys()) if (!order.has(file)) visit(file);
  return circles.filter((circle) => circle.length > 1).toSorted((a, b) => b.length - a.length);
}
