import { membersIn } from './members.ts';
import { type Expression, parseExpression } from './parse.ts';

/** What one check may cost; an expression beyond counts as ambiguous. */
const maxPositions = 1_000;
const maxPairs = 20_000;
const maxSteps = 1_000_000;

/**
 * Whether a repetition without an upper bound matches the same text in several ways, as `(a+)+` and `(a|a)*` do. Each repeat
 * then doubles the ways, and an engine that tries them one by one does not come back. RE2 has accepted the expression
 * before.
 */
export function isAmbiguous(text: string): boolean {
  const automaton = new Automaton(membersIn(text));
  try {
    automaton.build(parseExpression(text));
    return automaton.hasAmbiguousLoop();
  } catch (error) {
    if (error instanceof Ambiguous) return true;
    throw error;
  }
}

class Ambiguous extends Error {}

/** Positions that a part of the expression can begin and end with. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

const nothing: Part = { first: [], last: [], isNullable: true };

/** The position automaton: its states are the expression's characters, and what follows what are its steps. */
class Automaton {
  readonly #membersOf: (character: string) => ReadonlySet<string>;
  readonly #members: ReadonlySet<string>[] = [];
  readonly #follows: Set<number>[] = [];
  readonly #known = new Map<string, ReadonlySet<string>>();
  #parts = 0;

  constructor(membersOf: (character: string) => ReadonlySet<string>) {
    this.#membersOf = membersOf;
  }

  build(expression: Expression): Part {
    this.#parts += 1;
    if (this.#parts > maxPositions) throw new Ambiguous();
    switch (expression.kind) {
      case 'empty':
        return nothing;
      case 'character':
        return this.#position(expression.text);
      case 'sequence':
        return expression.parts.reduce<Part>(
          (left, right) => this.#sequence(left, this.build(right)),
          nothing,
        );
      case 'choice': {
        const parts = expression.parts.map((part) => this.build(part));
        return {
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
          isNullable: parts.some(({ isNullable }) => isNullable),
        };
      }
      case 'repeat':
        return this.#repeat(expression.body, expression.min, expression.max);
    }
  }

  /** Two ways from one position that read the same text and meet again on a cycle. */
  hasAmbiguousLoop(): boolean {
    const component = components(this.#follows);
    const inside = this.#follows.map((follows, position) =>
      [...follows].filter((next) => component[next] === component[position]),
    );
    let steps = 0;
    const pairs = new Map<number, readonly [number, number]>();
    const add = (one: number, other: number): void => {
      const [low, high] = one < other ? [one, other] : [other, one];
      pairs.set(low * this.#follows.length + high, [low, high]);
      if (pairs.size > maxPairs) throw new Ambiguous();
    };
    const overlap = (one: number, other: number): boolean => {
      steps += 1;
      if (steps > maxSteps) throw new Ambiguous();
      return haveCommon(this.#members[one]!, this.#members[other]!);
    };
    for (const nexts of inside)
      for (const [index, one] of nexts.entries())
        for (const other of nexts.slice(index + 1)) if (overlap(one, other)) add(one, other);
    // A map's iteration comes to what is added meanwhile.
    for (const [one, other] of pairs.values()) {
      for (const next of inside[one]!) {
        for (const otherNext of inside[other]!) {
          if (!overlap(next, otherNext)) continue;
          if (next === otherNext) return true;
          add(next, otherNext);
        }
      }
    }
    return false;
  }

  #position(text: string): Part {
    const known = this.#known.get(text) ?? this.#membersOf(text);
    this.#known.set(text, known);
    // A class can be empty: nothing goes past it.
    if (known.size === 0) return { first: [], last: [], isNullable: false };
    const position = this.#members.push(known) - 1;
    this.#follows.push(new Set());
    return { first: [position], last: [position], isNullable: false };
  }

  #sequence(left: Part, right: Part): Part {
    for (const last of left.last) for (const first of right.first) this.#follows[last]!.add(first);
    return {
      first: left.isNullable ? [...left.first, ...right.first] : left.first,
      last: right.isNullable ? [...left.last, ...right.last] : right.last,
      isNullable: left.isNullable && right.isNullable,
    };
  }

  #repeat(body: Expression, min: number, max: number): Part {
    if (max === Number.POSITIVE_INFINITY) {
      const before = this.#times(body, Math.max(0, min - 1));
      return this.#sequence(before, optional(this.#loop(this.build(body)), min === 0));
    }
    // x{0,3} is (x(x(x)?)?)?.
    let rest = nothing;
    for (let count = min; count < max; count += 1)
      rest = optional(this.#sequence(this.build(body), rest), true);
    return this.#sequence(this.#times(body, min), rest);
  }

  #times(body: Expression, count: number): Part {
    let part = nothing;
    for (let done = 0; done < count; done += 1) part = this.#sequence(part, this.build(body));
    return part;
  }

  #loop(body: Part): Part {
    for (const last of body.last) {
      const follows = this.#follows[last]!;
      for (const first of body.first) {
        // A repetition inside goes on with it as well.
        if (follows.has(first)) throw new Ambiguous();
        follows.add(first);
      }
    }
    return body;
  }
}

function optional(part: Part, isOptional: boolean): Part {
  return isOptional ? { ...part, isNullable: true } : part;
}

function haveCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one === other) return true;
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  for (const member of small) if (large.has(member)) return true;
  return false;
}

/** For each node the number of its strongly connected component (Tarjan). */
function components(edges: readonly ReadonlySet<number>[]): number[] {
  const component: number[] = new Array(edges.length).fill(-1);
  const index: number[] = new Array(edges.length).fill(-1);
  const low: number[] = [];
  const open: number[] = [];
  let visited = 0;
  let found = 0;
  const visit = (node: number): void => {
    index[node] = low[node] = visited++;
    open.push(node);
    for (const next of edges[node]!) {
      if (index[next] === -1) visit(next);
      if (component[next] === -1) low[node] = Math.min(low[node]!, low[next]!);
    }
    if (low[node] !== index[node]) return;
    for (let member = open.pop()!; ; member = open.pop()!) {
      component[member] = found;
      if (member === node) break;
    }
    found += 1;
  };
  for (let node = 0; node < edges.length; node += 1) if (index[node] === -1) visit(node);
  return component;
}
