import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadReport } from '../load.ts';
import type { StreamPlan, StreamReport } from '../stream-load.ts';

/** Runs one load plan in a process of its own. */
export function runLoad(plan: LoadPlan): Promise<LoadReport> {
  return run('../load.js', plan);
}

/** The same for streams of contributions. */
export function runStreams(plan: StreamPlan): Promise<StreamReport> {
  return run('../stream-load.js', plan);
}

function run<Report>(script: string, plan: object): Promise<Report> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(plan));
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    child.on('exit', (code) => {
      if (code === 0) resolve(JSON.parse(output) as Report);
      else reject(new Error(`the load generator ended with code ${code}`));
    });
  });
}
