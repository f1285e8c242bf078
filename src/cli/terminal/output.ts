/** Where a command writes: data to stdout, messages to stderr. */
export interface CommandOutput {
  readonly write: (text: string) => void;
  readonly print: (line: string) => void;
}

export const terminal: CommandOutput = {
  write: (text) => void process.stdout.write(text),
  print: (line) => void process.stderr.write(`${line}\n`),
};

/** Every command has these; the help of some lists further ones. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** Node's handle of a pipe, terminal or socket. */
interface WithHandle {
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
}

/**
 * A command that ends leaves nothing unwritten: without this, `process.exit` drops what a slow reader of a
 * pipe has not taken, which is everything beyond 64 KiB. Not for what runs on: a reader who stops would stop
 * it.
 */
export function writeOutputWhole(): void {
  for (const stream of [process.stdout, process.stderr])
    (stream as unknown as WithHandle)._handle?.setBlocking?.(true);
}
