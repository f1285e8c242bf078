import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks on the terminal, and shows nothing of the answer; null without a terminal. */
export async function askHidden(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  const gone = new Promise<null>((done) => lines.once('close', () => done(null)));
  try {
    return await Promise.race([lines.question(''), gone]);
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
