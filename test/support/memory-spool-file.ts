import type { SpoolFile } from '../../src/actors/ports/epoch-ports.ts';
import { grown } from '../../src/lib/bytes.ts';

/** A spool file of one process, in memory. */
export async function memorySpoolFile(): Promise<SpoolFile> {
  let bytes: Uint8Array = new Uint8Array(1024);
  return {
    async write(part, position) {
      if (position + part.length > bytes.length) bytes = grown(bytes, position + part.length);
      bytes.set(part, position);
    },
    read: async (position, length) => bytes.slice(position, position + length),
    close: async () => {},
  };
}
