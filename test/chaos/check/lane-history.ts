import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { withReplaySystem } from '../../../src/cli/system/replay-system.ts';
import type { Settings } from '../../../src/config/settings.ts';
import { equalBytes, toHex } from '../../../src/lib/bytes.ts';
import { uuidText } from '../../../src/lib/uuid.ts';
import type { LoggedCommand } from '../../../src/messages/commands.ts';
import type { Contributed } from '../../../src/messages/outcomes.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { Log, StoredCommand, StoredOutcome } from '../../../src/ports.ts';
import type { Applied } from './ledger.ts';

export interface LaneHistory {
  /** Every contribution that the lane has applied. */
  readonly applied: readonly Applied[];
  readonly messages: number;
  /** Each term with the host that claimed it. */
  readonly terms: readonly { readonly term: number; readonly host: string }[];
  /** What the log's two streams contradict each other in; empty: one history, one record for each message. */
  readonly faults: readonly string[];
  /** Accounts of each instance behind the last message. */
  readonly accounts: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

const maxFaults = 5;

/** Replays a lane from its first message, and compares each of its records with the stored one. */
export async function readLaneHistory(settings: Settings, lane: number): Promise<LaneHistory> {
  const problems: string[] = [];
  const history = await withReplaySystem(
    settings,
    'replay',
    (line) => problems.push(line),
    async ({ log, engines, hashing }) => {
      const replica = new Replica(lane, engines.create(), hashing, firstLaneHead);
      const reader = new HistoryReader(replica);
      await reader.read(log);
      return reader.history();
    },
  );
  if (history === null) throw new Error(`Lane ${lane} cannot be read: ${problems.join('; ')}`);
  return history;
}

class HistoryReader {
  readonly #replica: Replica;
  readonly #applied: Applied[] = [];
  readonly #terms: { term: number; host: string }[] = [];
  readonly #faults: string[] = [];
  /** Contributions whose debit is pending, by their place in the log. */
  readonly #pending = new Map<string, Contribute>();

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  async read(log: Pick<Log, 'readCommands' | 'readOutcomes' | 'extents' | 'lastOutcome'>): Promise<void> {
    const { lane } = this.#replica;
    // Messages that come meanwhile belong to the next look.
    const { lastSequence: last } = (await log.extents(lane)).commands;
    const outcomes = new Pages((from) => log.readOutcomes(lane, from));
    const commands = new Pages((from) => log.readCommands(lane, from));
    for (let sequence = 1; sequence <= last; sequence += 1) {
      const [command, outcome] = [await commands.at(sequence), await outcomes.at(sequence)];
      if (command === null) {
        this.#faults.push(`message ${sequence} is missing`);
        return;
      }
      this.#take(command as StoredCommand, outcome as StoredOutcome | null);
    }
    const stored = await log.lastOutcome(lane);
    if (stored < last) this.#faults.push(`OUT ends at ${stored}, CMD at ${last}`);
  }

  history(): LaneHistory {
    const { engine } = this.#replica;
    const accounts = [...engine.instances()].map(
      (id) =>
        [
          id,
          Object.fromEntries((engine.accounts(id) ?? []).map(([name, atoms]) => [name, String(atoms)])),
        ] as const,
    );
    return {
      applied: this.#applied,
      messages: this.#replica.appliedSequence,
      terms: this.#terms,
      faults: this.#faults.slice(0, maxFaults),
      accounts: new Map(accounts),
    };
  }

  #take(command: StoredCommand, stored: StoredOutcome | null): void {
    const { sequence } = command;
    const { batch, outcome, record } = this.#replica.apply(command);
    if (stored === null) this.#faults.push(`record ${sequence} is missing`);
    else if (!equalBytes(stored.bytes, record)) this.#faults.push(`record ${sequence} is another one`);
    for (const [index, result] of outcome.outcomes.entries()) {
      const asked = batch.commands[index] as LoggedCommand;
      if (asked.kind === 'Own' && result.kind === 'Done') this.#claimed(asked.term, asked.host);
      if (result.kind === 'Settled')
        for (const each of result.contributions) this.#settled(`${each.sequence}/${each.index}`, each.result);
      if (asked.kind !== 'Contribute') continue;
      if (result.kind === 'Pending') this.#pending.set(`${sequence}/${index}`, asked);
      if (result.kind === 'Contributed') this.#add(asked, result);
    }
  }

  #settled(place: string, result: { readonly kind: string }): void {
    const asked = this.#pending.get(place);
    this.#pending.delete(place);
    if (asked === undefined) this.#faults.push(`${place} is settled, and was not pending`);
    else if (result.kind === 'Contributed') this.#add(asked, result as Contributed);
  }

  #add({ contributionId, idempotencyKey, baseWagerAtoms }: Contribute, { results }: Contributed): void {
    if (idempotencyKey === null) return;
    this.#applied.push({
      key: toHex(idempotencyKey),
      contributionId: uuidText(contributionId),
      wagerAtoms: baseWagerAtoms,
      contributionAtoms: results[0]?.requestAtoms ?? 0n,
    });
  }

  #claimed(term: number, host: string): void {
    const before = this.#terms.at(-1)?.term ?? 0;
    if (term !== before + 1) this.#faults.push(`term ${term} follows ${before}`);
    this.#terms.push({ term, host });
  }
}

/** Messages of a stream one after the other, read some at a time. */
class Pages<T extends { readonly sequence: number }> {
  readonly #read: (from: number) => Promise<readonly T[]>;
  #page = new Map<number, T>();
  #readTo = 0;

  constructor(read: (from: number) => Promise<readonly T[]>) {
    this.#read = read;
  }

  /** null: it is not there. */
  async at(sequence: number): Promise<T | null> {
    if (sequence > this.#readTo) {
      const page = await this.#read(sequence);
      this.#page = new Map(page.map((each) => [each.sequence, each]));
      this.#readTo = page.at(-1)?.sequence ?? sequence;
    }
    return this.#page.get(sequence) ?? null;
  }
}
