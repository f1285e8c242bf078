import { grown, u64, utf8 } from '../../../lib/bytes.ts';
import { canonicalJson, type Json } from '../../../lib/canonical-json.ts';
import type { Hashing } from '../../../lib/hashing.ts';
import { readWide } from '../../../lib/wide.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { DrawGroup, DrawRecord, RecordedPrice } from '../../state/lane/recorder.ts';
import { potAt, seedAt } from '../../state/money/accounts.ts';
import { keyOfEpoch, streamKey } from '../keystreams/keys.ts';
import { KeystreamWords } from '../keystreams/keystream.ts';
import { inputBytes, purposePots } from '../keystreams/names.ts';

const firstBytes = 4096;

/**
 * The contributions of one instance in one message: inputs, records, one keystream. Groups are used again.
 */
export class Group {
  instance!: Instance;
  firstSequence = 0;
  inputs: Uint8Array = new Uint8Array(firstBytes);
  inputsView = new DataView(this.inputs.buffer);
  inputCount = 0;
  records: Uint8Array = new Uint8Array(firstBytes);
  recordsView = new DataView(this.records.buffer);
  recordBytes = 0;
  recordCount = 0;
  readonly details: Json[] = [];
  readonly notes: DrawRecord[] = [];
  #keystream: KeystreamWords | null = null;
  #inputsHash: Uint8Array | null = null;

  begin(instance: Instance): void {
    this.instance = instance;
    this.firstSequence = instance.sequence + 1;
    this.inputCount = 0;
    this.recordBytes = 0;
    this.recordCount = 0;
    this.details.length = 0;
    this.notes.length = 0;
    this.#keystream = null;
    this.#inputsHash = null;
  }

  /** Makes room for one more input; returns where it begins. */
  addInput(): number {
    const at = this.inputCount * inputBytes;
    if (at + inputBytes > this.inputs.length) {
      this.inputs = grown(this.inputs, at + inputBytes);
      this.inputsView = new DataView(this.inputs.buffer);
    }
    this.inputCount += 1;
    return at;
  }

  reserve(bytes: number): void {
    if (this.recordBytes + bytes <= this.records.length) return;
    this.records = grown(this.records, this.recordBytes + bytes);
    this.recordsView = new DataView(this.records.buffer);
  }

  keystream(hashing: Hashing): KeystreamWords {
    if (this.#keystream === null) {
      const { instance } = this;
      const key = streamKey(
        hashing,
        keyOfEpoch(hashing, instance),
        purposePots,
        instance.idHash,
        instance.epochs.current,
        this.firstSequence,
        this.#hashOfInputs(hashing),
      );
      this.#keystream = new KeystreamWords(hashing, key, this.inputCount * instance.pots.length);
    }
    return this.#keystream;
  }

  /** Notes for a recorder what the record at `offset` does not say. */
  note(sequence: number, offset: number, inputIndex: number, price: RecordedPrice): void {
    const { balances, pots } = this.instance;
    this.notes.push({
      sequence,
      offset,
      inputIndex,
      ...price,
      seedAtoms: pots.map((pot) => readWide(balances, potAt(pot.index) + seedAt)),
    });
  }

  recorded(): DrawGroup {
    return {
      instance: this.instance.id,
      epoch: this.instance.epochs.current,
      firstSequence: this.firstSequence,
      inputs: this.inputs.slice(0, this.inputCount * inputBytes),
      bytes: this.records.slice(0, this.recordBytes),
      records: [...this.notes],
      details: [...this.details],
      head: this.instance.epochs.head,
    };
  }

  /** Chains the group to the instance's head. A group without records leaves it as it is. */
  close(hashing: Hashing): void {
    if (this.recordCount === 0) return;
    const details = this.details.length === 0 ? [] : [hashing.sha256(utf8(canonicalJson(this.details)))];
    const epochs = this.instance.epochs;
    epochs.head = hashing.sha256(
      epochs.head,
      u64(this.firstSequence),
      this.#hashOfInputs(hashing),
      this.records.subarray(0, this.recordBytes),
      ...details,
    );
  }

  #hashOfInputs(hashing: Hashing): Uint8Array {
    this.#inputsHash ??= hashing.sha256(this.inputs.subarray(0, this.inputCount * inputBytes));
    return this.#inputsHash;
  }
}
