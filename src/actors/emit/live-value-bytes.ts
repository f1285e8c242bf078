import type { LiveValues } from '../../messages/records.ts';

const instanceBytes = 256;
/** Its id apart: an amount takes up to 18 bytes, a number up to 9. */
const potBytes = 144;

/** How many bytes a set of live values takes on the bus at most. Ids are ASCII. */
export function liveValueBytes({ pots }: LiveValues): number {
  let bytes = instanceBytes;
  for (const { pot } of pots) bytes += potBytes + pot.length;
  return bytes;
}
