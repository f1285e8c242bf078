import { createHmac } from 'node:crypto';

/** The code of an authenticator app at a time: RFC 6238, written from its text. `secret` in base 32. */
export function totp(secret: string, nowMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** A code that is right at none of the times around this one. */
export function wrongCode(secret: string, nowMs: number): string {
  const right = [-2, -1, 0, 1, 2].map((step) => totp(secret, nowMs + step * 30_000));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g)!.map((octet) => Number.parseInt(octet, 2)));
}
