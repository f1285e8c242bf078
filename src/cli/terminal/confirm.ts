import { createInterface } from 'node:readline/promises';

/** Whether the person at the terminal types "yes"; false where there is no terminal. */
export async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} Type "yes": `);
    return answer.trim() === 'yes';
  } finally {
    terminal.close();
  }
}
