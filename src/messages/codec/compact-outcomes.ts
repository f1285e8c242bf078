import type { CommandOutcome, ContributionOutcome } from '../outcomes.ts';
import { refused } from '../refusals.ts';
import { ByteSink, ByteSource } from './byte-sink.ts';
import { array, bytes, number, text, UnknownForm } from './layout.ts';
import { commandOutcome, refusalCode } from './outcomes.ts';

/**
 * Most outcomes are contributions without a win or a change, and take 6 to 16 bytes: the instance as an
 * index, the distance of its sequence from the expected one, and C. All others are in full in a separate
 * list.
 */
const fullForm = 0;
const compactForm = 1;
const convertedForm = 2;
const linkedForm = 3;
const refusedForm = 4;
const duplicateForm = 5;

const bytesPerOutcome = 12;

/** Outcomes as `[instance ids, their first sequences, refusal codes, compact bytes, outcomes in full]`. */
export function packOutcomes(outcomes: readonly CommandOutcome[]): unknown[] {
  const instances = new ExpectedSequences();
  const codes: string[] = [];
  const full: unknown[] = [];
  const sink = new ByteSink(outcomes.length * bytesPerOutcome + 16);
  for (const outcome of outcomes) {
    if (!writeShort(sink, instances, codes, outcome)) {
      sink.byte(fullForm);
      full.push(commandOutcome.pack(outcome));
    }
  }
  return [instances.ids, instances.firstSequences, codes, sink.taken(), full];
}

/** Reads what packOutcomes made. @throws TypeError or RangeError for other values */
export function unpackOutcomes(raw: unknown): CommandOutcome[] {
  const [ids, firstSequences, codes, compact, full] = array(raw);
  const instances = new ExpectedSequences();
  const firsts = array(firstSequences);
  array(ids).forEach((id, index) => {
    instances.add(text.unpack(id), number.unpack(firsts[index]));
  });
  const reader = { source: new ByteSource(bytes.unpack(compact)), instances, codes: array(codes) };
  const outcomes: CommandOutcome[] = [];
  let fullIndex = 0;
  while (!reader.source.ended) {
    const form = reader.source.byte();
    if (form === fullForm) {
      outcomes.push(commandOutcome.unpack(array(full)[fullIndex]));
      fullIndex += 1;
    } else {
      outcomes.push(readShort(reader, form));
    }
  }
  return outcomes;
}

function writeShort(
  sink: ByteSink,
  instances: ExpectedSequences,
  codes: string[],
  outcome: CommandOutcome,
): boolean {
  if (outcome.kind === 'Contributed') return writeContributed(sink, instances, outcome.results);
  if (outcome.kind === 'Refused' && outcome.message === '') {
    let code = codes.indexOf(outcome.code);
    if (code < 0) code = codes.push(outcome.code) - 1;
    sink.byte(refusedForm);
    sink.unsigned(code);
    return true;
  }
  if (outcome.kind === 'Duplicate' && isPosition(outcome.sequence) && isPosition(outcome.index)) {
    sink.byte(duplicateForm);
    sink.unsigned(outcome.sequence);
    sink.unsigned(outcome.index);
    return true;
  }
  return false;
}

function writeContributed(
  sink: ByteSink,
  instances: ExpectedSequences,
  results: readonly ContributionOutcome[],
): boolean {
  const first = results[0];
  const single = results.length === 1 && first !== undefined;
  if (single && first.bonusAtoms === 0n && first.requestAtoms === first.contributionAtoms) {
    const atoms = Number(first.contributionAtoms);
    if (!isBare(first) || !isShort(atoms)) return false;
    sink.byte(compactForm);
    writeResult(sink, instances, first, atoms);
    return true;
  }
  for (const result of results) if (!isCompact(result)) return false;
  if (single) {
    sink.byte(convertedForm);
  } else {
    sink.byte(linkedForm);
    sink.unsigned(results.length);
  }
  for (const result of results) {
    writeResult(sink, instances, result, Number(result.contributionAtoms));
    sink.unsigned(Number(result.requestAtoms));
    sink.unsigned(Number(result.bonusAtoms));
  }
  return true;
}

function writeResult(
  sink: ByteSink,
  instances: ExpectedSequences,
  { instance, sequence }: ContributionOutcome,
  contributionAtoms: number,
): void {
  const index = instances.indexOf(instance, sequence);
  sink.unsigned(index);
  sink.unsigned(zigzag(instances.distance(index, sequence)));
  sink.unsigned(contributionAtoms);
}

type Reader = {
  readonly source: ByteSource;
  readonly instances: ExpectedSequences;
  readonly codes: readonly unknown[];
};

function readShort(reader: Reader, form: number): CommandOutcome {
  const { source } = reader;
  switch (form) {
    case compactForm:
      return { kind: 'Contributed', results: [readResult(reader, false)] };
    case convertedForm:
      return { kind: 'Contributed', results: [readResult(reader, true)] };
    case linkedForm:
      return {
        kind: 'Contributed',
        results: Array.from({ length: source.unsigned() }, () => readResult(reader, true)),
      };
    case refusedForm:
      return refused(refusalCode.unpack(reader.codes[source.unsigned()]));
    case duplicateForm:
      return { kind: 'Duplicate', sequence: source.unsigned(), index: source.unsigned() };
    default:
      throw new UnknownForm(`unknown form ${form} of an outcome`);
  }
}

function readResult(reader: Reader, withAmounts: boolean): ContributionOutcome {
  const { source, instances } = reader;
  const instance = instances.id(source.unsigned());
  const sequence = instances.resolve(instance, unzigzag(source.unsigned()));
  const contributionAtoms = BigInt(source.unsigned());
  const requestAtoms = withAmounts ? BigInt(source.unsigned()) : contributionAtoms;
  const bonusAtoms = withAmounts ? BigInt(source.unsigned()) : 0n;
  return { instance, sequence, contributionAtoms, requestAtoms, bonusAtoms, win: null, tickets: 0 };
}

function isCompact(result: ContributionOutcome): boolean {
  return (
    isBare(result) &&
    isShort(Number(result.contributionAtoms)) &&
    isShort(Number(result.requestAtoms)) &&
    isShort(Number(result.bonusAtoms))
  );
}

function isBare({ win, tickets, sequence, timestampMs }: ContributionOutcome): boolean {
  return win === null && tickets === 0 && timestampMs === undefined && Number.isSafeInteger(sequence * 4);
}

function isPosition(value: number): boolean {
  return value >= 0 && Number.isSafeInteger(value);
}

/** Whether a number is exact: rounding takes none across 2^53. It is cheaper to compare than a `bigint`. */
function isShort(atoms: number): boolean {
  return atoms >= 0 && atoms <= Number.MAX_SAFE_INTEGER;
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** The instances of a message in order of appearance, and the expected next sequence of each. */
class ExpectedSequences {
  readonly ids: string[] = [];
  readonly firstSequences: number[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #next: number[] = [];
  /** The instance that was asked for last: most messages are for one. */
  #last = '';
  #lastIndex = -1;

  add(id: string, firstSequence: number): number {
    const index = this.ids.push(id) - 1;
    this.firstSequences.push(firstSequence);
    this.#next.push(firstSequence);
    this.#indexes.set(id, index);
    return index;
  }

  id(index: number): string {
    const id = this.ids[index];
    if (id === undefined) throw new RangeError('an outcome names an instance that is not listed');
    return id;
  }

  indexOf(id: string, sequence: number): number {
    if (this.#lastIndex >= 0 && id === this.#last) return this.#lastIndex;
    this.#last = id;
    this.#lastIndex = this.#indexes.get(id) ?? this.add(id, sequence);
    return this.#lastIndex;
  }

  /** The distance of `sequence` from the expected one; expects the one after it next. */
  distance(index: number, sequence: number): number {
    const distance = sequence - this.#next[index]!;
    this.#next[index] = sequence + 1;
    return distance;
  }

  resolve(id: string, distance: number): number {
    const index = this.#indexes.get(id)!;
    const sequence = this.#next[index]! + distance;
    this.#next[index] = sequence + 1;
    return sequence;
  }
}
