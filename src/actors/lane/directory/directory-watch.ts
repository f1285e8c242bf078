import {
  brandSalt,
  type DirectoryChange,
  type DirectoryEntry,
  type DirectoryKind,
  rateMultipliers,
  readDirectoryChange,
} from '../../../contracts/directory/directory.ts';
import { kindOfKey } from '../../../contracts/directory/directory-keys.ts';
import { parseAmount } from '../../../lib/money.ts';
import { errorText } from '../../../log/base/error-text.ts';
import { encodeCommandBatch } from '../../../messages/codec/codec.ts';
import type { SetBrand, SetRates, SetSegment } from '../../../messages/lane-commands.ts';
import type { Table } from '../../../ports.ts';

/** A command that copies facts of a directory entry into a lane. */
type DirectoryCommand = SetRates | SetBrand | SetSegment;

export interface DirectoryFact {
  readonly key: string;
  readonly revision: number;
  readonly command: DirectoryCommand;
  /** Size of the command in a message of the log. */
  readonly bytes: number;
}

/**
 * The facts that lanes need of KV DIRECTORY, as commands by key, watched once a process. `revision` is the
 * newest one seen, also of an entry that no lane needs.
 */
export class DirectoryWatch {
  readonly #facts = new Map<string, DirectoryFact>();
  readonly #listeners = new Set<() => void>();
  readonly #trouble: (message: string) => void;
  #revision = 0;
  /** The revision of the newest fact. */
  #newestFact = 0;
  #current = false;
  #stopWatch: () => Promise<void> = async () => {};

  constructor(trouble: (message: string) => void) {
    this.#trouble = trouble;
  }

  async start(table: Table): Promise<void> {
    const watch = await table.watch({
      entry: (key, value, revision) => this.#entry(key, value, revision),
      current: () => {
        this.#current = true;
        this.#changed();
      },
    });
    this.#stopWatch = () => watch.stop();
  }

  /** True once every entry that there was at the start has been seen. */
  get current(): boolean {
    return this.#current;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Facts newer than `revision`, oldest first. */
  since(revision: number): DirectoryFact[] {
    // Each lane asks after every entry, also after one that no lane needs.
    if (revision >= this.#newestFact) return [];
    const newer = [...this.#facts.values()].filter((fact) => fact.revision > revision);
    return newer.sort((a, b) => a.revision - b.revision);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async stop(): Promise<void> {
    await this.#stopWatch();
  }

  #entry(key: string, value: Uint8Array | null, revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
    try {
      const change = neededKinds.has(kindOfKey(key)) ? readDirectoryChange(key, value, revision) : null;
      const command = change === null ? null : commandOf(change);
      if (command !== null) {
        this.#facts.set(key, { key, revision, command, bytes: bytesOf(command) });
        this.#newestFact = Math.max(this.#newestFact, revision);
      }
    } catch (error) {
      // One entry that does not read must not keep the others from the lanes.
      this.#trouble(`Cannot read the directory entry ${key}: ${errorText(error)}`);
    }
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Entries of other kinds are not even decoded: there may be a hundred thousand sources. */
const neededKinds: ReadonlySet<string> = new Set<DirectoryKind>(['rates', 'brand', 'segment']);

const noBatch = { batchId: new Uint8Array(16), gateway: '' };

function bytesOf(command: DirectoryCommand): number {
  return encodeCommandBatch({ ...noBatch, commands: [command] }).length;
}

function commandOf(change: DirectoryChange): DirectoryCommand | null {
  if (change.kind === 'set') return commandOfEntry(change.entry);
  const { reference } = change;
  if (reference.kind !== 'segment') return null;
  return { kind: 'SetSegment', owner: reference.owner, segment: reference.id, priority: null };
}

function commandOfEntry(entry: DirectoryEntry): DirectoryCommand | null {
  switch (entry.kind) {
    case 'rates':
      return {
        kind: 'SetRates',
        version: entry.version,
        brand: entry.brand,
        base: entry.base_currency,
        multipliers: rateMultipliers(entry),
        updatedMs: entry.updated,
      };
    case 'brand':
      return {
        kind: 'SetBrand',
        brand: entry.path,
        salt: brandSalt(entry),
        wallet: entry.wallet,
        provider: entry.provider,
        closeRounds: entry.close_rounds,
        verificationLimitAtoms: limitAtoms(entry.verification_limit),
        verificationCurrency: entry.verification_currency,
        walletMustMatch: true,
        batchDebits: entry.batch_debits,
      };
    case 'segment':
      return { kind: 'SetSegment', owner: entry.owner, segment: entry.id, priority: entry.priority };
    case 'operator':
    case 'template':
    case 'source':
    case 'sourcegroup':
    case 'webhookorigins':
    case 'webhooksubscriptions':
    case 'cors':
      return null;
  }
}

function limitAtoms(limit: string | null): bigint | null {
  if (limit === null) return null;
  const parsed = parseAmount(limit);
  if (!parsed.ok) throw new Error(`${limit} is no amount`);
  return parsed.atoms;
}
