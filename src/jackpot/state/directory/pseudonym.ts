import { utf8 } from '../../../lib/bytes.ts';
import type { Hashing } from '../hashing/hashing.ts';
import type { Brand } from './brands.ts';

/** First half of HMAC-SHA256(the brand's salt, player id). */
export function pseudonymOf(hashing: Hashing, brand: Brand, player: string): Uint8Array {
  return hashing.hmacSha256(brand.command.salt, utf8(player)).subarray(0, 16);
}
