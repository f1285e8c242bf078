import type { ServerResponse } from 'node:http';
import type { Approvals } from '../../access/approvals.ts';
import { type Action, authorize, system } from '../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../access/rights/principal.ts';
import type { HintKind } from '../../contracts/feeds/hints.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import type { Clock } from '../../ports.ts';
import { PublicError } from '../base/errors.ts';
import { leaveInSlices } from '../http/hand-over.ts';
import { Places } from '../http/places.ts';
import { callerEnded } from '../http/read-body.ts';
import type { Asked } from './event-streams.ts';
import { beginEvents } from './head.ts';
import { eventStreamLimits as limits } from './limits.ts';

interface HintPorts {
  readonly directory: ReadModel;
  /** null: this gateway has none. */
  readonly approvals: Approvals | null;
  /** 0 to 1. */
  readonly chance: () => number;
}

/** Who asks, and for how long: `mayGoOn` rejects once the token does not count any more. */
interface HintCaller {
  readonly principal: AdministratorPrincipal;
  readonly mayGoOn: () => Promise<unknown>;
}

/** Ids of what has changed by its kind; the empty one stands for all beyond the limit. */
type Changes = Map<HintKind, Set<string>>;

/** What a caller needs leave for, of the changed thing's owner. */
const actions: Readonly<Record<HintKind, Action>> = {
  approval: 'read',
  instance: 'read',
  settlement: 'read',
  lane: 'run',
};

/**
 * Hints for administrators' screens as Server-Sent Events: that something has changed, and not what. Changes
 * between two turns are one hint, so a stream costs the same whatever happens
 * (docs/rules/http.md "Events for screens").
 */
export class HintStreams {
  readonly #ports: HintPorts;
  readonly #open = new Set<HintStream>();
  readonly #places = new Places(limits.hintStreams, limits.hintStreamsOfAccount);
  #changes = new Map<string, Changes>();
  #marks: readonly string[] = [];
  /** Ends what is listened to while a stream is open; null: none is. */
  #unlisten: (() => void) | null = null;
  #isDraining = false;

  constructor(ports: HintPorts) {
    this.#ports = ports;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Answers the request for as long as its client likes and its token counts. @throws PublicError */
  begin({ principal, mayGoOn }: HintCaller, { request, response }: Asked): void {
    if (this.#isDraining) throw new PublicError('shutting_down');
    if (response.destroyed) return;
    const refusal = this.#places.take(principal.subject);
    if (refusal !== null) throw refusal;
    const stream = new HintStream(principal, mayGoOn, response);
    response.once('close', () => {
      this.#places.release(principal.subject);
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#rest();
    });
    // A page that is closed ends its connection, and reads nothing more.
    request.once(callerEnded, () => response.destroy());
    this.#open.add(stream);
    this.#unlisten ??= this.#listen();
    stream.write(beginEvents(request, response, this.#ports.chance()));
  }

  /** Every stream ends, and its client comes back, where another gateway takes it. */
  async leave(clock: Clock): Promise<void> {
    this.#isDraining = true;
    await leaveInSlices(this.#open, (stream) => stream.end('shutting_down'), clock);
  }

  /** The same at once. */
  drain(): void {
    this.#isDraining = true;
    for (const stream of [...this.#open]) stream.end('shutting_down');
  }

  #listen(): () => void {
    const { directory, approvals } = this.#ports;
    this.#marks = directory.conditions.marks();
    const timer = setInterval(() => this.#turn(), limits.hintsEveryMs);
    timer.unref();
    const ends = [
      directory.onInstance(({ description: { owner, instance } }) => this.#note(owner, 'instance', instance)),
      directory.onCredit(({ brand, transactionId }) => this.#note(brand, 'settlement', transactionId)),
      approvals?.onChange(({ owner, id }) => this.#note(owner, 'approval', id)),
      () => clearInterval(timer),
    ];
    return () => {
      for (const end of ends) end?.();
    };
  }

  #rest(): void {
    this.#unlisten?.();
    this.#unlisten = null;
    this.#changes.clear();
  }

  #note(owner: string, kind: HintKind, id: string): void {
    const changes = this.#changes.get(owner) ?? new Map();
    this.#changes.set(owner, changes);
    note(changes, kind, id);
  }

  #turn(): void {
    const marks = this.#ports.directory.conditions.marks();
    for (const [lane, mark] of marks.entries())
      if (mark !== this.#marks[lane]) this.#note(system, 'lane', String(lane));
    this.#marks = marks;
    const changes = this.#changes;
    this.#changes = new Map();
    for (const stream of this.#open) stream.turn(changes);
  }
}

function note(changes: Changes, kind: HintKind, id: string): void {
  const ids = changes.get(kind) ?? new Set();
  changes.set(kind, ids.add(ids.size < limits.hintIds ? id : ''));
}

/** One request that is being answered. */
class HintStream {
  readonly #principal: AdministratorPrincipal;
  readonly #mayGoOn: () => Promise<unknown>;
  readonly #response: ServerResponse;
  /** What the client has not been sent yet. */
  readonly #waiting: Changes = new Map();
  #isBlocked = false;
  /** Turns without a word, or without the client reading one. */
  #quietTurns = 0;

  constructor(principal: AdministratorPrincipal, mayGoOn: () => Promise<unknown>, response: ServerResponse) {
    this.#principal = principal;
    this.#mayGoOn = mayGoOn;
    this.#response = response;
    response.on('drain', () => {
      this.#isBlocked = false;
    });
  }

  /** Says what of the changes the caller may know of, if the token still counts. */
  turn(changes: ReadonlyMap<string, Changes>): void {
    for (const [owner, ofOwner] of changes)
      for (const [kind, ids] of ofOwner)
        if (authorize(this.#principal, actions[kind], owner) === 'allowed')
          for (const id of ids) note(this.#waiting, kind, id);
    this.#mayGoOn().then(
      () => this.#say(),
      (error: unknown) => {
        this.end(error instanceof PublicError ? error.code : 'internal_error');
        this.#say();
      },
    );
  }

  /** The client comes back at the end of its stream; with a token that does not count it is refused. */
  end(code: string): void {
    if (this.#response.writableEnded) return;
    this.write(`event: close\ndata: ${JSON.stringify({ code })}\n\n`);
    this.#response.end();
  }

  write(text: string): void {
    this.#quietTurns = 0;
    if (!this.#response.write(text)) this.#isBlocked = true;
  }

  #say(): void {
    this.#quietTurns += 1;
    const quietMs = this.#quietTurns * limits.hintsEveryMs;
    if (this.#isBlocked || this.#response.writableEnded) {
      if (quietMs >= limits.readWithinMs) this.#response.destroy();
      return;
    }
    const events = [...this.#waiting].flatMap(([kind, ids]) => eventsOf(kind, ids));
    this.#waiting.clear();
    if (events.length > 0) this.write(events.join(''));
    else if (quietMs >= limits.hintCommentMs) this.write(':\n\n');
  }
}

function eventsOf(kind: HintKind, ids: ReadonlySet<string>): readonly string[] {
  const data = ids.has('') ? [{}] : [...ids].map((id) => ({ id }));
  return data.map((each) => `event: ${kind}\ndata: ${JSON.stringify(each)}\n\n`);
}
