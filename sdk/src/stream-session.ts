import { LoginError, noAnswer, type PotstreamError, StreamError } from './errors.ts';
import type { Pace, RetryLimits } from './retry.ts';
import { openConnection, type StreamTarget } from './stream-connection.ts';
import { type ExchangeHost, StreamExchange } from './stream-exchange.ts';
import { type ConnectionEnd, errorOfMessage, refusesLine, refusesToken } from './stream-faults.ts';
import type { StreamMessage } from './stream-messages.ts';
import { Patience } from './stream-patience.ts';
import { refusalOf, resultOf, UnreadResults } from './stream-results.ts';
import type { StreamLimits, StreamResult } from './stream-types.ts';
import { type Entry, openContribution, StreamWindow } from './stream-window.ts';
import type { Tokens } from './tokens.ts';
import { Wake } from './wake.ts';

export interface SessionSettings {
  readonly target: StreamTarget;
  readonly tokens: Tokens;
  readonly limits: StreamLimits;
  /** Of contributions that are refused for a while. */
  readonly retry: RetryLimits;
  readonly pace: Pace;
  readonly onInterrupted: (error: PotstreamError) => void;
}

/** Contributions on one connection after another until each has its result. */
export class StreamSession<Ref> implements ExchangeHost<Ref> {
  readonly window: StreamWindow<Ref>;
  readonly limits: StreamLimits;
  readonly pace: Pace;
  /** Wakes who feeds contributions: there is room. */
  readonly room = new Wake();
  /** Wakes who takes results. */
  readonly news = new Wake();
  /** What ended it early. */
  failure: StreamError<Ref> | null = null;
  readonly #settings: SessionSettings;
  readonly #patience: Patience;
  readonly #work = new Wake();
  readonly #ending = new AbortController();
  readonly #unread = new UnreadResults<Ref>();
  /** Without a result. */
  #open = 0;
  #answered = 0;
  #exchange: StreamExchange<Ref> | null = null;
  #inputEnded = false;

  constructor(settings: SessionSettings) {
    const { limits, pace, retry } = settings;
    [this.#settings, this.limits, this.pace] = [settings, limits, pace];
    this.window = new StreamWindow(limits);
    this.#patience = new Patience(pace, limits.patienceMs, retry);
  }

  get isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Every contribution of the whole input has its result. */
  get isDone(): boolean {
    return this.#inputEnded && this.#open === 0;
  }

  add(entry: Entry<Ref>): void {
    if (this.#open === 0) this.#patience.began();
    this.#open += 1;
    this.window.add(entry);
    this.#proceed();
  }

  /** It is not sent: this is its result. */
  refuse(entry: Entry<Ref>, error: PotstreamError): void {
    this.#open += 1;
    this.window.count(entry);
    this.#conclude(entry, refusalOf(entry, error), 0);
    this.news.call();
  }

  endInput(): void {
    this.#inputEnded = true;
    this.#proceed();
  }

  /** The next result that is there; null: none is. */
  next(): StreamResult<Ref> | null {
    const unread = this.#unread.shift();
    if (unread === null) return null;
    const [entry, result] = unread;
    this.window.release(entry);
    if (this.#unread.length === 0) this.#patience.began();
    if (this.#unread.characters <= this.limits.maxUnreadCharacters / 2) this.#exchange?.read(true);
    this.room.call();
    return result;
  }

  fail(error: PotstreamError): void {
    if (this.isOver) return;
    const onConnection = (this.#exchange?.unanswered() ?? []).map(([, entry]) => entry);
    for (const entry of onConnection) entry.isUncertain = true;
    const open = [...onConnection, ...this.window.waiting()].map(openContribution);
    this.failure = new StreamError(error, this.#answered, open);
    this.close();
  }

  /** Ends the connection and everything that waits. */
  close(): void {
    this.#ending.abort();
    this.#exchange?.destroy(noAnswer(new Error('The stream was ended.')));
    for (const wake of [this.room, this.news, this.#work]) wake.call();
  }

  /** Resolves when all is answered, or the stream is over. */
  async run(): Promise<void> {
    while (!this.isOver && !this.isDone) {
      if (this.window.isEmpty) await this.#work.wait();
      else await this.#connect();
    }
  }

  answered(entry: Entry<Ref>, message: StreamMessage, characters: number): void {
    this.#patience.progressed();
    if (message.error === undefined) {
      this.#conclude(entry, resultOf(entry, message), characters);
      return;
    }
    const error = errorOfMessage(message);
    const dueMs = this.#patience.againAt(entry, error);
    if (dueMs === null) this.#conclude(entry, refusalOf(entry, error), characters);
    else this.window.defer(entry, dueMs);
  }

  flush(): void {
    if (this.#unread.length > 0) this.news.call();
    if (this.#unread.characters > this.limits.maxUnreadCharacters) this.#exchange?.read(false);
    this.#proceed();
  }

  #conclude(entry: Entry<Ref>, result: StreamResult<Ref>, characters: number): void {
    this.#open -= 1;
    this.#answered += 1;
    this.#unread.push(entry, result, characters);
  }

  #proceed(): void {
    if (this.isDone) {
      this.#exchange?.finish();
      this.news.call();
    } else if (!this.window.isEmpty) this.#exchange?.send();
    this.#work.call();
  }

  async #connect(): Promise<void> {
    const { target, tokens } = this.#settings;
    let token = '';
    try {
      token = await tokens.current().catch((error: unknown) => {
        throw new LoginError(noAnswer(error));
      });
      if (this.isOver) return;
      const connection = await openConnection(target, token, this.#ending.signal);
      this.#patience.opened();
      this.#exchange = new StreamExchange(this, connection);
    } catch (error) {
      await this.#interrupted(noAnswer(error), token);
      return;
    }
    const end = await this.#exchange.run();
    this.#putBack(end);
    if (!this.isOver && !this.isDone) await this.#interrupted(end.error, token);
  }

  /** What was on the connection is sent again, except a line that is refused for its size. */
  #putBack(end: ConnectionEnd): void {
    const again: Entry<Ref>[] = [];
    for (const [number, entry] of this.#exchange?.unanswered() ?? []) {
      entry.isUncertain ||= end.line === null || number < end.line;
      if (refusesLine(end) && number === end.line) this.#conclude(entry, refusalOf(entry, end.error), 0);
      else again.push(entry);
    }
    this.#exchange = null;
    this.window.putBack(again);
    this.flush();
  }

  async #interrupted(error: PotstreamError, token: string): Promise<void> {
    const { pace, tokens, onInterrupted } = this.#settings;
    if (this.isOver) return;
    // Nobody waits for a result now.
    if (this.#open === 0 || this.#unread.length > 0) this.#patience.began();
    if (refusesToken(error)) tokens.discard(token);
    const delayMs = this.#patience.reconnectAfter(error);
    if (delayMs === null) {
      this.fail(error);
      return;
    }
    onInterrupted(error);
    // Only the end of the stream ends the pause early.
    await pace.wait(delayMs, this.#ending.signal).catch(() => undefined);
  }
}
