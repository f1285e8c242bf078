import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadReport } from '../load.ts';

/** Runs one load plan in a process of its own. */
export function runLoad(plan: LoadPlan): Promise<LoadReport> {
  const script = fileURLToPath(new URL('../load.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(plan));
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    child.on('exit', (code) => {
      if (code === 0) resolve(JSON.parse(output) as LoadReport);
      else reject(new Error(`the load generator ended with code ${code}`));
    });
  });
}
