import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** What runs or checks the files of deploy/. */
export type DeployTool = 'nginx' | 'haproxy' | 'promtool' | 'systemd-analyze' | 'rclone' | 'kubectl';

const repository = resolve(import.meta.dirname, '../..');
/** The machine's units, and those of a fetched systemd on one without. */
const unitPath = `${join(repository, '.potstream/deploy-tools/root/lib/systemd/system')}:`;

/** The one that `npm test` has found, else the copy that it fetched before, else the distribution's. */
export function pathOf(tool: DeployTool): string {
  const named = process.env[`POTSTREAM_${tool.toUpperCase().replace('-', '_')}`];
  const fetched = join(repository, '.potstream', tool === 'kubectl' ? 'kubectl' : 'deploy-tools/bin', tool);
  const candidates = [fetched, `/usr/sbin/${tool}`];
  return named || (candidates.find((path) => existsSync(path)) ?? `/usr/bin/${tool}`);
}

/** Without the program its tests are skipped, and say so; in CI they fail. */
export function mayBeSkipped(tool: DeployTool): boolean {
  const isSkipped = !existsSync(pathOf(tool)) && !process.env.CI;
  if (isSkipped) console.warn(`The tests with ${tool} are skipped: there is none at ${pathOf(tool)}.`);
  return isSkipped;
}

export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runTool(tool: DeployTool, args: readonly string[], input = ''): Said {
  const { status, stdout, stderr } = spawnSync(pathOf(tool), args, {
    cwd: repository,
    encoding: 'utf8',
    input,
    env: { ...process.env, SYSTEMD_UNIT_PATH: unitPath },
  });
  return { status, stdout, stderr };
}

/** The manifests that `kubectl apply -k` sends for a directory of the repository. @throws Error with what kubectl says against it */
export function kustomized<Manifest>(directory: string): readonly Manifest[] {
  const { status, stdout, stderr } = runTool('kubectl', ['kustomize', directory]);
  if (status !== 0 || stderr !== '') throw new Error(stderr);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}
