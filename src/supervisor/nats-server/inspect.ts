import { runCommand } from './run-command.ts';
import { isSuitable, parseVersion, type Version, versionText, wantedVersions } from './version.ts';

const versionTimeoutMs = 10_000;

/** The result of inspecting a path. */
export type Inspection =
  | { readonly kind: 'suitable'; readonly path: string; readonly version: Version }
  | { readonly kind: 'unsuitable'; readonly path: string; readonly reason: string };

/** Asks the program at `path` for its version. */
export async function inspectNatsServer(path: string): Promise<Inspection> {
  const { exitCode, output } = await runCommand(path, ['--version'], { timeoutMs: versionTimeoutMs });
  if (exitCode !== 0) {
    return { kind: 'unsuitable', path, reason: `${path} does not run: ${output.trim() || 'no answer'}` };
  }
  const version = parseVersion(output);
  if (version === null) {
    return { kind: 'unsuitable', path, reason: `${path} does not print its version: ${output.trim()}` };
  }
  if (!isSuitable(version)) {
    const reason = `${path} is version ${versionText(version)}; Potstream needs ${wantedVersions}`;
    return { kind: 'unsuitable', path, reason };
  }
  return { kind: 'suitable', path, version };
}
