import { expect, test } from 'vitest';
import { folderOf, imports } from './support/imports.ts';

/** Files that import each other in a circle, types included, can only be read and changed together. */
const largestCircle = 4;

/** Whoever reads the engine's state needs none of its rules. */
const stateMayImport =
  /^(lib|messages|jackpot\/state)\/|^jackpot\/(hashing|recorder|configuration\/(configuration|raffle-rules|reader))\.ts$/;

const graph = new Map<string, string[]>();
for (const { file, target } of imports) {
  if (target !== null) graph.set(file, [...(graph.get(file) ?? []), target]);
}

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

test("the engine's state imports no rule", () => {
  const ofState = imports.filter(({ file }) => file.startsWith('jackpot/state/'));
  const wrong = ofState.filter(({ target }) => target === null || !stateMayImport.test(target));
  expect(ofState.length).toBeGreaterThan(20);
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

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
