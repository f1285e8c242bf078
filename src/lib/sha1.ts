/** SHA-1 (FIPS 180-4): for names of UUID version 5 only, where nobody relies on its strength. */
export function sha1(message: Uint8Array): Uint8Array {
  const blocks = new DataView(new ArrayBuffer(((message.length + 8) >> 6) * 64 + 64));
  new Uint8Array(blocks.buffer).set(message);
  blocks.setUint8(message.length, 0x80);
  blocks.setBigUint64(blocks.byteLength - 8, BigInt(message.length) * 8n);
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const words = new Uint32Array(80);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.getUint32(at + 4 * i);
    for (let i = 16; i < 80; i++) {
      words[i] = rotate(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1);
    }
    compress(state, words);
  }
  const digest = new DataView(new ArrayBuffer(20));
  for (const [i, word] of state.entries()) digest.setUint32(4 * i, word);
  return new Uint8Array(digest.buffer);
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e] = state as unknown as [number, number, number, number, number];
  for (let i = 0; i < 80; i++) {
    const next = (rotate(a, 5) + mix(i, b, c, d) + e + words[i]!) >>> 0;
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  for (const [i, word] of [a, b, c, d, e].entries()) state[i] = state[i]! + word;
}

function mix(round: number, b: number, c: number, d: number): number {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

function rotate(word: number, bits: number): number {
  return ((word << bits) | (word >>> (32 - bits))) >>> 0;
}
