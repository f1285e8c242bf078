import { createHashing } from '../../actors/epochs/keys/hashing.ts';
import { isRefusedAsAWhole, quarantinedRefusal } from '../../actors/replica/quarantines.ts';
import type { Hashing } from '../../lib/hashing.ts';
import { decodeOutcomeRecord, decodeStreamKeys } from '../../messages/codec/codec.ts';
import type { Quarantine } from '../../messages/lane-commands.ts';
import type { StoredCommand } from '../../ports.ts';

const keyBytes = 32;
const noSeed = new Uint8Array(keyBytes);
const nothing = new Uint8Array(0);
/** A record without any outcome is shorter, and one of refusals has their text. */
const maxEmptyBytes = 128;

/** A draw for which the outcome record names no key. */
export class MissingStreamKey extends Error {}

/**
 * What a replay without draw keys takes from the outcome record of each message: the keys of its draws, and
 * whether it was quarantined (docs/rules/log.md "Stream keys"). All else it computes, and compares.
 */
export class OutcomeGuide {
  /** The engine's cryptography: seeds open to nothing, and a draw gets the key that the record names. */
  readonly hashing: Hashing;
  #record: Uint8Array = nothing;
  #keys: readonly Uint8Array[] | null = null;
  #used = 0;

  constructor() {
    const hashing = createHashing({ unseal: () => noSeed });
    this.hashing = { ...hashing, keyStream: () => hashing.keyStream(this.#nextKey()) };
  }

  /** The record of the message that is applied next. */
  follow(record: Uint8Array): void {
    this.#record = record;
    this.#keys = null;
    this.#used = 0;
  }

  /** As its quarantine would have it; null: the message was applied. @throws LogError as codecs do */
  of({ sequence }: StoredCommand): Quarantine | null {
    const record = Buffer.from(this.#record.buffer, this.#record.byteOffset, this.#record.length);
    if (record.length > maxEmptyBytes && !record.includes(quarantinedRefusal.message)) return null;
    const outcome = decodeOutcomeRecord(this.#record);
    const commands = outcome.outcomes.length;
    if (!isRefusedAsAWhole(outcome, commands)) return null;
    return { kind: 'Quarantine', sequence, sha256: nothing, commands, reason: '', user: '' };
  }

  #nextKey(): Uint8Array {
    this.#keys ??= decodeStreamKeys(this.#record);
    const key = this.#keys[this.#used];
    if (key?.length !== keyBytes) throw new MissingStreamKey('The outcome record names no key for a draw.');
    this.#used += 1;
    return key;
  }
}
