import { crash } from '../../lib/crash.ts';
import { LogError } from '../../ports.ts';
import { streamState } from './api.ts';
import { ConsumerSession, CreationPatience } from './consumer-session.ts';
import type { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';

const retryMinMs = 50;
const retryMaxMs = 1_000;
/** After this many heartbeats without a message no other will come: nats-server passes over damaged ones. */
const silentBeats = 3;

interface WatchPosition {
  readonly stream: string;
  readonly filter: string;
  readonly isWhole: boolean;
  readonly replicas: number;
}

interface WatchHandlers {
  message(message: StoredMessage): void;
  current(): void;
  /** Fewer messages came than there were; these did. `current` follows. */
  incomplete(subjects: ReadonlySet<string>): void;
}

/** Delivers the last message of every key, then each change; after an outage it continues where it was. */
export class TableWatch {
  /** Resolves when everything that was there has been delivered, or the watch has been stopped. */
  readonly whenCurrent: Promise<void>;
  readonly #requester: Requester;
  readonly #position: WatchPosition;
  readonly #handlers: WatchHandlers;
  #becomeCurrent: () => void = () => {};
  #isCurrent = false;
  #subjects = new Set<string>();
  #lastRevision = 0;
  #session: ConsumerSession | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #delayMs = retryMinMs;
  readonly #patience = new CreationPatience();

  constructor(requester: Requester, position: WatchPosition, handlers: WatchHandlers) {
    this.#requester = requester;
    this.#position = position;
    this.#handlers = handlers;
    this.whenCurrent = new Promise((resolve) => {
      this.#becomeCurrent = resolve;
    });
    this.#open().catch(crash);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#session?.close();
    this.#becomeCurrent();
  }

  async #open(): Promise<void> {
    let pending = Number.POSITIVE_INFINITY;
    let last = 0;
    let received = 0;
    let beats = 0;
    const noteProgress = (): void => {
      const isWhole = received >= pending && this.#lastRevision >= last;
      if (this.#isCurrent || this.#stopped || (!isWhole && beats < silentBeats)) return;
      if (received < pending) this.#handlers.incomplete(this.#subjects);
      this.#isCurrent = true;
      this.#subjects = new Set();
      this.#handlers.current();
      this.#becomeCurrent();
    };
    const session: ConsumerSession = new ConsumerSession(
      this.#requester,
      // Last messages come in the order of their sequences: an interrupted start can continue.
      {
        stream: this.#position.stream,
        filter: this.#position.filter,
        fromSequence: this.#lastRevision === 0 ? null : this.#lastRevision + 1,
        createWithinMs: this.#patience.limitMs,
        replicas: this.#position.replicas,
      },
      {
        message: (message) => {
          if (this.#stopped) return;
          received += 1;
          beats = 0;
          if (!this.#isCurrent) this.#subjects.add(message.subject);
          this.#delayMs = retryMinMs;
          if (message.sequence > this.#lastRevision) {
            this.#lastRevision = message.sequence;
            this.#handlers.message(message);
          }
          noteProgress();
        },
        idle: () => {
          beats += 1;
          noteProgress();
        },
        ended: () => this.#openLater(),
      },
    );
    this.#session = session;
    try {
      last = await this.#lastStored();
      pending = await this.#patience.within(() => session.open());
      if (this.#stopped) session.close();
      noteProgress();
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      session.close();
      this.#openLater();
    }
  }

  /**
   * The table's last revision, as the leader knows it: the server that delivers may be behind. 0: there is
   * only one, or it is not known.
   */
  async #lastStored(): Promise<number> {
    const { stream, isWhole, replicas } = this.#position;
    if (!isWhole || replicas === 1) return 0;
    const { last_seq: last, num_subjects: keys = 0 } = await streamState(this.#requester, stream);
    // Everything may have expired.
    return keys === 0 ? 0 : last;
  }

  #openLater(): void {
    if (this.#stopped || this.#timer !== null) return;
    const openNow = (): void => {
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
      stopListening();
      if (!this.#stopped) this.#open().catch(crash);
    };
    const stopListening = this.#requester.connection.onUp(openNow);
    this.#timer = setTimeout(openNow, this.#delayMs);
    this.#delayMs = Math.min(retryMaxMs, this.#delayMs * 2);
  }
}
