/** The length of a frame's value, before it. */
export const headBytes = 4;

/** Cuts an answer into the values of its frames, however its bytes come. */
export class FrameCutter {
  #rest: Uint8Array = new Uint8Array(0);

  /** Those that are whole now, as views of these bytes. */
  push(bytes: Uint8Array): Uint8Array[] {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const view = new DataView(all.buffer, all.byteOffset, all.length);
    const values: Uint8Array[] = [];
    let at = 0;
    while (at + headBytes <= all.length) {
      const end = at + headBytes + view.getUint32(at);
      if (end > all.length) break;
      values.push(all.subarray(at + headBytes, end));
      at = end;
    }
    this.#rest = all.subarray(at);
    return values;
  }
}
