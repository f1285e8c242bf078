/** What a stream of Node's has for pipes, terminals and sockets. */
interface WithHandle {
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
}

/**
 * A command that ends leaves nothing unwritten: without this, `process.exit` throws away what a slow reader of a pipe has not taken, which
 * is everything beyond 64 KiB. Not for what runs on: a reader who stops would stop it.
 */
export function writeOutputWhole(): void {
  for (const stream of [process.stdout, process.stderr])
    (stream as unknown as WithHandle)._handle?.setBlocking?.(true);
}
