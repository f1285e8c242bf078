import { checkMoments, compareBooks } from './books.ts';
import { join, toHex, utf8 } from './bytes.ts';
import { canonical } from './canonical.ts';
import { Disagreement, expectSame } from './disagreement.ts';
import {
  NotRevealed,
  type PublicEpoch,
  type PublicGroup,
  readContinuationPage,
  readFirstPage,
} from './document.ts';
import { enablePots } from './enabled-pots.ts';
import type { Followed } from './followed.ts';
import type { VerifierHashing } from './hashing.ts';
import { readAccounts, readPots } from './header.ts';
import { commitOf, EpochKey, instanceHash } from './key-stream.ts';
import { checkBefore, checkContinues, type Ending } from './neighbours.ts';
import { checkOpening } from './opening.ts';
import { compareRules } from './parameter-change.ts';
import { Progress } from './progress.ts';
import { Replay } from './replay.ts';
import type { Report } from './report.ts';
import { readRules } from './rules.ts';
import type { Members } from './shape.ts';

const groupsBetweenProgress = 256;

export interface VerifyOptions {
  /** Follow this sequence number's draw in the report. */
  readonly sequence?: number | null;
  /** Commitment or heads that the caller has noted down elsewhere; they must be those of the epoch. */
  readonly expectedCommit?: string | null;
  readonly expectedHead?: string | null;
  /** The header of the epoch behind, where it is known: it must continue from here. */
  readonly nextHeader?: unknown;
  /** Head of the epoch before, where it was verified. */
  readonly previousHead?: string | null;
  /** How the epoch before ends, where its file is at hand: this one must begin with that. */
  readonly previousEnding?: Ending | null;
  /** Results of all earlier epochs that were verified with the same object; it is extended. */
  readonly followed?: Followed | null;
  /** Called now and then with the part that is done, from 0 to 1. */
  readonly progress?: (done: number) => void;
}

/**
 * Verifies the public data of one epoch (docs/jpd1.md): commit, key, every number drawn, every hit, every visible
 * account, the chain of heads. `json`: GET /v1/fairness/instances/{id}/epochs/{e}, or the list of its pages.
 * @throws NotRevealed if there is nothing to verify yet; the report has everything else
 */
export function verifyEpoch(json: unknown, hashing: VerifierHashing, options: VerifyOptions = {}): Report {
  const verification = new EpochVerification(hashing, options);
  for (const page of Array.isArray(json) ? json : [json]) verification.take(page);
  return verification.report();
}

/** As `verifyEpoch`, page by page: of a large epoch no more than one need be in memory. */
export class EpochVerification {
  readonly #hashing: VerifierHashing;
  readonly #options: VerifyOptions;
  readonly #progress: Progress;
  #epoch: PublicEpoch | null = null;
  #replay: Replay | null = null;
  #taken = 0;
  #messages = 0;
  #failed = false;

  constructor(hashing: VerifierHashing, options: VerifyOptions = {}) {
    this.#hashing = hashing;
    this.#options = options;
    this.#progress = new Progress(options.sequence ?? null);
  }

  /** The number of further pages to read; 0 after a failure. */
  get missing(): number {
    return this.#failed || this.#epoch === null ? 0 : this.#epoch.pages - this.#taken;
  }

  /** The next page, from the first one on. Throws NotRevealed. */
  take(json: unknown): void {
    this.#attempt(() => {
      const groups = this.#groupsOf(json);
      const part = 1 / this.#epoch!.pages;
      groups.forEach((group, index) => {
        if (index % groupsBetweenProgress === 0)
          this.#options.progress?.((this.#taken + index / groups.length) * part);
        this.#replay!.take(group);
      });
      this.#taken += 1;
    });
  }

  report(): Report {
    this.#attempt(() => {
      const replay = this.#replay;
      const epoch = this.#epoch;
      if (replay === null || epoch === null) throw new Disagreement('document', 'the file has no page');
      if (this.missing > 0)
        throw new Disagreement('document', `page ${this.#taken} of ${epoch.pages} is not there`);
      this.#options.progress?.(1);
      replay.finish(() => {
        for (const check of ['order', 'money', 'draws', 'wins', 'heads'] as const)
          this.#progress.pass(check, null);
        checkEnd(epoch, replay, this.#hashing, this.#options, this.#progress);
      });
    });
    return this.#progress.report();
  }

  #groupsOf(json: unknown): readonly PublicGroup[] {
    return this.#epoch === null ? this.#openWith(json) : this.#goOnWith(json, this.#epoch);
  }

  #openWith(json: unknown): readonly PublicGroup[] {
    const { epoch, groups } = readFirstPage(json);
    this.#epoch = epoch;
    this.#progress.read(epoch);
    this.#read(groups);
    this.#replay = open(epoch, this.#hashing, this.#options, this.#progress);
    return groups;
  }

  #goOnWith(json: unknown, epoch: PublicEpoch): readonly PublicGroup[] {
    if (this.missing === 0) throw new Disagreement('document', `there are more pages than ${epoch.pages}`);
    const groups = readContinuationPage(json, this.#taken, epoch);
    this.#read(groups);
    return groups;
  }

  #read(groups: readonly PublicGroup[]): void {
    this.#messages += groups.length;
    if (this.missing === 1) this.#progress.pass('document', `${this.#messages} messages`);
  }

  #attempt(work: () => void): void {
    if (this.#failed) return;
    try {
      work();
    } catch (error) {
      if (error instanceof NotRevealed) throw error;
      this.#failed = true;
      const isKnown = error instanceof Disagreement;
      // Impossible values must not mislead arithmetic; they count as wrong like any other figure.
      this.#progress.fail(
        isKnown ? error : new Disagreement('document', `the file makes no sense: ${String(error)}`),
      );
    }
  }
}

/** The checks before the first group. */
function open(
  epoch: PublicEpoch,
  hashing: VerifierHashing,
  options: VerifyOptions,
  progress: Progress,
): Replay {
  const { header } = epoch;
  const instance = instanceHash(hashing, header.instance);
  const commit = toHex(header.commit);
  expectSame('commit', 'commit', commit, toHex(commitOf(hashing, instance, header.epoch, epoch.seed)));
  if (options.expectedCommit) expectSame('commit', 'the commit', commit, options.expectedCommit);
  const beacon = header.beacon.length === 0 ? '' : `, beacon ${toHex(header.beacon)}`;
  progress.pass('commit', commit + beacon);
  const configHash = hashing.sha256(utf8(canonical(header.config)));
  expectSame('config', 'config_hash', toHex(header.configHash), toHex(configHash));
  progress.pass('config', toHex(configHash));
  progress.pass('opening', checkOpening(header, readRules(header.config)));

  const key = new EpochKey(hashing, instance, header.epoch, epoch.seed, header.beacon, header.configHash);
  const opened = hashing.sha256(join(header.previousHead, hashing.sha256(utf8(canonical(header.json)))));
  progress.opened(toHex(opened));
  return new Replay(epoch, hashing, key, opened, options.followed ?? null, progress);
}

function checkEnd(
  epoch: PublicEpoch,
  replay: Replay,
  hashing: VerifierHashing,
  options: VerifyOptions,
  progress: Progress,
): void {
  const { closing, header } = epoch;
  const head = toHex(replay.head);
  expectSame('closing', 'head at the end', toHex(closing.head), head);
  expectSame('closing', 'the next sequence number', closing.nextSequence, replay.nextSequence);
  const accounts = readAccounts(closing.accounts, 'closing.accounts');
  checkMoments(header, replay.books, accounts);
  const pots = readPots(closing.pots, 'closing.pots');
  enablePots(replay.books, pots, closing.config ?? header.config, replay.timestampMs);
  compareBooks(replay.books, accounts, closing.deficit, pots);
  const configHash = hashing.sha256(utf8(canonical(closing.config ?? header.config)));
  expectSame('closing', 'config_hash at the end', toHex(closing.configHash), toHex(configHash));
  compareRules(replay.books, header.config, closing.config ?? header.config, replay.isChanged);
  expectSame('closing', 'resumed', closing.resumed, replay.books.resumed);
  progress.pass('closing', 'every account');
  if (options.expectedHead) {
    const isKnown = replay.heads.has(options.expectedHead);
    if (!isKnown) throw new Disagreement('heads', `the head ${options.expectedHead} is none of this epoch`);
  }
  const { config, epoch: number } = header;
  const nextSequence = replay.nextSequence;
  const ending = { epoch: number, rules: header.rules, head, nextSequence, closing: closing.json, config };
  checkNeighbours(header, ending, options, progress);
  if (options.followed === null || options.followed === undefined) return;
  options.followed.ending = ending;
  options.followed.timestampMs = replay.timestampMs;
}

function checkNeighbours(
  header: PublicEpoch['header'],
  ending: Ending,
  { followed, previousEnding, previousHead, nextHeader }: VerifyOptions,
  progress: Progress,
): void {
  const known = { ending: followed?.ending ?? previousEnding ?? null, head: previousHead ?? null };
  const before = checkBefore(header, known);
  const checked = before === null ? [] : [before];
  if (typeof nextHeader === 'object' && nextHeader !== null) {
    checkContinues(ending, nextHeader as Members);
    checked.push('the next epoch begins where this one ends');
  }
  if (checked.length === 0) progress.skip('neighbours', 'the epochs before and after are not at hand');
  else progress.pass('neighbours', checked.join('; '));
}
