import { writeJson } from '../lib/json.ts';
import type { AuditLog, Clock, Random } from '../ports.ts';
import { type AuditEntry, type AuditHead, bounded } from './entry.ts';
import { IndexedTrail } from './indexed-trail.ts';
import { AuditUnavailable, AuditWriter } from './writer.ts';

export type AuditSubject = Omit<AuditHead, 'id' | 'timestamp'>;
export type AuditResult = Pick<AuditEntry, 'outcome' | 'status' | 'code' | 'changes' | 'count'>;

/** A change whose intent is stored. */
interface OpenAudit {
  /** Stores the outcome; where that fails, again in the background. @throws AuditUnavailable */
  finish(result: AuditResult, subject?: Partial<AuditSubject>): Promise<void>;
}

const maxUnwritten = 1_000;
const retryAfterMs = 1_000;
const idBytes = 12;

/** Writes intents and outcomes of changes to the trail. */
export class AuditTrail {
  readonly log: AuditLog;
  readonly pages: IndexedTrail;
  readonly #writer: AuditWriter;
  readonly #clock: Clock;
  readonly #random: Random;
  /** Outcomes that the trail did not take yet. Beyond the limit the oldest stay unknown. */
  readonly #unwritten: AuditEntry[] = [];
  #cancelRetry: (() => void) | null = null;
  #stopped = false;

  constructor(log: AuditLog, ports: { readonly clock: Clock; readonly random: Random }) {
    this.log = log;
    this.pages = new IndexedTrail(log);
    this.#writer = new AuditWriter(log);
    this.#clock = ports.clock;
    this.#random = ports.random;
  }

  /** Stores the intent before anything changes; `input` has no secrets. @throws AuditUnavailable */
  async begin(subject: AuditSubject, input: unknown): Promise<OpenAudit> {
    const head = this.#head(subject);
    await this.#writer.append({ ...head, kind: 'intent', input: bounded(input) });
    return { finish: (result, more) => this.#finish({ ...head, ...more }, result) };
  }

  /** Stores what changes nothing in one entry: a log-in. @throws AuditUnavailable */
  record(subject: AuditSubject, result: AuditResult): Promise<void> {
    return this.#writer.append({ ...outcomeOf(this.#head(subject), result), kind: 'event' });
  }

  /** For what several processes see: the first one stores it under the id. @throws AuditUnavailable */
  recordOnce(id: string, subject: AuditSubject, result: AuditResult): Promise<void> {
    const head = { ...this.#head(subject), id };
    return this.#writer.appendOnce({ ...outcomeOf(head, result), kind: 'event' }, () => this.pages.has(id));
  }

  /** Outcomes that could not be written stay unknown. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRetry?.();
    await this.log.close();
  }

  async #finish(head: AuditHead, result: AuditResult): Promise<void> {
    const entry = outcomeOf({ ...head, timestamp: this.#clock.nowMs() }, result);
    try {
      await this.#writer.append(entry);
    } catch (error) {
      if (!(error instanceof AuditUnavailable)) throw error;
      this.#unwritten.push(entry);
      if (this.#unwritten.length > maxUnwritten) this.#unwritten.shift();
      this.#retryLater();
      throw error;
    }
  }

  #retryLater(): void {
    if (this.#stopped || this.#cancelRetry !== null || this.#unwritten.length === 0) return;
    this.#cancelRetry = this.#clock.after(retryAfterMs, () => {
      const entries = this.#unwritten.splice(0);
      const again = (entry: AuditEntry): Promise<unknown> =>
        this.#writer.append(entry).catch(() => this.#unwritten.push(entry));
      const next = (): void => {
        this.#cancelRetry = null;
        this.#retryLater();
      };
      Promise.all(entries.map(again)).then(next, next);
    });
  }

  #head(subject: AuditSubject): AuditHead {
    const id = Buffer.from(this.#random.bytes(idBytes)).toString('base64url');
    return { ...subject, id, timestamp: this.#clock.nowMs() };
  }
}

function outcomeOf(head: AuditHead, { changes, ...result }: AuditResult): AuditEntry {
  return {
    ...head,
    kind: 'outcome',
    ...result,
    ...(changes === undefined ? {} : { changes: boundedChanges(changes) }),
  };
}

const maxChanges = 100;
const maxChangesBytes = 64 * 1024;

/** Beyond the limits only what each change is about. */
function boundedChanges(changes: NonNullable<AuditResult['changes']>): NonNullable<AuditResult['changes']> {
  let left = maxChangesBytes;
  return changes.slice(0, maxChanges).map(({ object, before, after }) => {
    const half = Math.max(0, Math.floor(left / 2));
    const shown = {
      object,
      before: bounded(before, Math.min(half, maxChangesBytes / 4)),
      after: bounded(after, Math.min(half, maxChangesBytes / 4)),
    };
    left -= writeJson(shown).length;
    return shown;
  });
}
