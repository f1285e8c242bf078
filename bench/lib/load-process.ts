import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withHugePages } from '../../src/cli/up/huge-pages.ts';
import { commandLineFlags } from '../../src/runtime/v8-flags.ts';
import type { ClientPlan } from '../client-load.ts';
import type { LoadPlan, LoadReport } from '../load.ts';
import type { StreamPlan, StreamReport } from '../stream-load.ts';
import type { FollowPlan } from '../yardsticks/follow-lane.ts';

/** Runs one load plan in a process of its own. */
export function runLoad(plan: LoadPlan): Promise<LoadReport> {
  return run('../load.js', plan);
}

/** The same for streams of contributions. */
export function runStreams(plan: StreamPlan): Promise<StreamReport> {
  return run('../stream-load.js', plan);
}

/** The same by a client that operators use. */
export function runClients(plan: ClientPlan): Promise<LoadReport> {
  return run('../client-load.js', plan);
}

/** Follows a lane in a process that is as new as one of a role, with the flags of one. Commands a second. */
export async function runFollower(plan: FollowPlan): Promise<number> {
  const environment = withHugePages(process.env);
  const report = await run<{ commandsPerSecond: number }>(
    '../yardsticks/follow-lane.js',
    plan,
    commandLineFlags,
    environment,
  );
  return report.commandsPerSecond;
}

function run<Report>(
  script: string,
  plan: object,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Report> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [...flags, path], { stdio: ['pipe', 'pipe', 'inherit'], env });
  child.stdin.end(JSON.stringify(plan));
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    child.on('exit', (code) => {
      if (code === 0) resolve(JSON.parse(output) as Report);
      else reject(new Error(`${script} ended with code ${code}`));
    });
  });
}
