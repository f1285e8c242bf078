import { LogError } from '../../../ports.ts';
import type { ComponentPorts } from '../../ports/actor-ports.ts';
import type { Replica } from '../../replica/replica.ts';
import type { CommandWriter } from '../ownership/command-writer.ts';
import type { DirectoryFact, DirectoryWatch } from './directory-watch.ts';

/** Half of what a message of the log may have; a table of rates alone may take 60 KiB. */
const maxMessageBytes = 128 * 1024;
const maxFactsPerMessage = 64;
const rewriteDelayMs = 1_000;
const maxWaiting = 1000;

/**
 * Copies the facts of the directory into a lane. Writes all of them once after the lane was gained, except
 * rate tables that it has already, then each change. Sets aside a fact that the log refuses until it changes:
 * it must not hold up the facts of other owners.
 */
export class DirectoryWriter {
  readonly #replica: Replica;
  readonly #ports: ComponentPorts;
  readonly #writer: CommandWriter;
  readonly #watch: DirectoryWatch;
  readonly #waiting = new Set<() => void>();
  readonly #setAside = new Map<string, number>();
  #stopListening: () => void = () => {};
  #ownerTerm = 0;
  #writtenRevision = 0;
  #writtenSequence = 0;
  #writing = false;
  #active = false;

  constructor(replica: Replica, ports: ComponentPorts, writer: CommandWriter, watch: DirectoryWatch) {
    this.#replica = replica;
    this.#ports = ports;
    this.#writer = writer;
    this.#watch = watch;
  }

  start(ownerTerm: number): void {
    this.#active = true;
    this.#ownerTerm = ownerTerm;
    this.#setAside.clear();
    this.#stopListening = this.#watch.onChange(() => this.#begin());
    this.#begin();
  }

  stop(): void {
    this.#active = false;
    this.#stopListening();
  }

  /** The lane sequence of the commands up to `revision`; null: not within `timeoutMs`. */
  async written(revision: number, timeoutMs: number): Promise<number | null> {
    if (this.#upToDate(revision)) return this.#writtenSequence;
    if (this.#waiting.size >= maxWaiting) return null;
    return new Promise((resolve) => {
      const done = (sequence: number | null): void => {
        cancel();
        this.#waiting.delete(poll);
        resolve(sequence);
      };
      const cancel = this.#ports.clock.after(timeoutMs, () => done(null));
      const poll = (): void => {
        if (this.#upToDate(revision)) done(this.#writtenSequence);
      };
      this.#waiting.add(poll);
    });
  }

  #upToDate(revision: number): boolean {
    return this.#active && this.#watch.current && this.#writtenRevision >= revision;
  }

  #begin(): void {
    this.#write().catch((error) => this.#ports.failed(error));
  }

  async #write(): Promise<void> {
    if (this.#writing || !this.#active || !this.#watch.current) return;
    this.#writing = true;
    // The newest revision is read before the facts: what comes while one message is written is in the next.
    while (this.#active && this.#writtenRevision < this.#watch.revision) {
      const upTo = this.#watch.revision;
      const facts = this.#watch.since(this.#writtenRevision).filter((fact) => this.#isNews(fact));
      const message = firstMessageOf(facts);
      if (message.length > 0 && !(await this.#writeMessage(message))) break;
      this.#writtenRevision = message.length < facts.length ? message.at(-1)!.revision : upTo;
      for (const poll of this.#waiting) poll();
    }
    this.#writing = false;
  }

  /** False where it has to be tried again. */
  async #writeMessage(facts: readonly DirectoryFact[]): Promise<boolean> {
    const [first] = facts;
    try {
      await this.#append(facts);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      if (error.code === 'full') this.#retry(error);
      else if (facts.length === 1) this.#putAside(first!, error);
      else for (const fact of facts) if (!(await this.#writeMessage([fact]))) return false;
      return error.code !== 'full';
    }
    return this.#active;
  }

  async #append(facts: readonly DirectoryFact[]): Promise<void> {
    const { lane } = this.#replica;
    const revisions = facts.map(({ revision }) => revision).join('.');
    const identity = `directory:${lane}:${this.#ownerTerm}:${revisions}`;
    const commands = facts.map((fact) => fact.command);
    const result = await this.#writer.append('control', identity, commands);
    if (result?.kind === 'stored') this.#writtenSequence = Math.max(this.#writtenSequence, result.sequence);
  }

  #retry(error: LogError): void {
    if (!this.#active) return;
    this.#ports.monitor.alarm(this.#replica.lane, error.code, error.message);
    this.#ports.clock.after(rewriteDelayMs, () => this.#begin());
  }

  #putAside({ key, revision }: DirectoryFact, error: LogError): void {
    this.#setAside.set(key, revision);
    const message = `The directory's entry ${key} cannot be written and is left out: ${error.message}`;
    this.#ports.monitor.alarm(this.#replica.lane, 'directory_entry_refused', message);
  }

  #isNews({ key, revision, command }: DirectoryFact): boolean {
    if (this.#setAside.get(key) === revision) return false;
    return command.kind !== 'SetRates' || command.version > this.#replica.engine.rateVersion(command.brand);
  }
}

/** The oldest facts, as many as fit one message; at least one. */
function firstMessageOf(facts: readonly DirectoryFact[]): readonly DirectoryFact[] {
  let bytes = 0;
  let count = 0;
  for (const fact of facts) {
    bytes += fact.bytes;
    if (count > 0 && (bytes > maxMessageBytes || count >= maxFactsPerMessage)) break;
    count += 1;
  }
  return facts.slice(0, count);
}
