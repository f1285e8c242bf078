import type { CommandWriter } from './command-writer.ts';
import type { DirectoryFact, DirectoryWatch } from './directory-watch.ts';
import type { LaneRoomPorts } from './ports.ts';
import type { Replica } from './replica.ts';

/** A table of rates has some kilobytes: so many facts fit into a message of 256 KiB. */
const mostFactsPerMessage = 24;
const writeAgainAfterMs = 200;
const mostWaiting = 1000;

/**
 * Writes into a lane what it must know of the directory, when the directory moves. After the lane was gained all facts
 * are written once, but rate tables that it has already: what moved while nobody owned the lane is among them.
 */
export class LaneDirectory {
  readonly #replica: Replica;
  readonly #ports: LaneRoomPorts;
  readonly #writer: CommandWriter;
  readonly #watch: DirectoryWatch;
  readonly #waiting = new Set<() => void>();
  #stopListening: () => void = () => {};
  #ownerEpoch = 0;
  #writtenRevision = 0;
  #writtenSequence = 0;
  #writing = false;
  #active = false;

  constructor(replica: Replica, ports: LaneRoomPorts, writer: CommandWriter, watch: DirectoryWatch) {
    this.#replica = replica;
    this.#ports = ports;
    this.#writer = writer;
    this.#watch = watch;
  }

  start(ownerEpoch: number): void {
    this.#active = true;
    this.#ownerEpoch = ownerEpoch;
    this.#stopListening = this.#watch.onChange(() => this.#begin());
    this.#begin();
  }

  stop(): void {
    this.#active = false;
    this.#stopListening();
    for (const look of this.#waiting) look();
  }

  /** The lane sequence at which everything up to `revision` stands; null where that took longer than `timeoutMs`. */
  async written(revision: number, timeoutMs: number): Promise<number | null> {
    if (this.#upToDate(revision)) return this.#writtenSequence;
    if (!this.#active || this.#waiting.size >= mostWaiting) return null;
    return new Promise((resolve) => {
      const done = (sequence: number | null): void => {
        cancel();
        this.#waiting.delete(look);
        resolve(sequence);
      };
      const cancel = this.#ports.clock.after(timeoutMs, () => done(null));
      const look = (): void => {
        if (this.#upToDate(revision)) done(this.#writtenSequence);
        else if (!this.#active) done(null);
      };
      this.#waiting.add(look);
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
      const message = facts.slice(0, mostFactsPerMessage);
      if (message.length > 0 && !(await this.#writeMessage(message))) break;
      this.#writtenRevision = message.length < facts.length ? message.at(-1)!.revision : upTo;
      for (const look of this.#waiting) look();
    }
    this.#writing = false;
  }

  async #writeMessage(facts: readonly DirectoryFact[]): Promise<boolean> {
    const { lane } = this.#replica;
    const identity = `directory:${lane}:${this.#ownerEpoch}:${facts[0]!.revision}:${facts.at(-1)!.revision}`;
    const sequence = await this.#writer.write(
      identity,
      facts.map((fact) => fact.command),
    );
    if (sequence === null) {
      if (this.#active) this.#ports.clock.after(writeAgainAfterMs, () => this.#begin());
      return false;
    }
    this.#writtenSequence = Math.max(this.#writtenSequence, sequence);
    return true;
  }

  #isNews({ command }: DirectoryFact): boolean {
    return command.kind !== 'SetRates' || command.version > this.#replica.engine.rateVersion(command.brand);
  }
}
