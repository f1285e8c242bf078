import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../..');

/** Why this machine cannot run containers as processes in namespaces; null: it can. */
export function whyNoNamespaces(): string | null {
  for (const program of ['ip', 'unshare', 'setpriv', 'chroot', 'openssl'])
    if (spawnSync('which', [program]).status !== 0) return `this machine has no ${program}`;
  const tried = spawnSync('unshare', [...flags, 'ip', 'link', 'add', 'bridge0', 'type', 'bridge'], {
    encoding: 'utf8',
  });
  return tried.status === 0 ? null : `this process may make no namespaces: ${tried.stderr.trim()}`;
}

const dieWithParent = ['--pdeathsig', 'KILL'];
const flags = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/**
 * Runs one file of tests in namespaces of its own, with an operator's certificate that its containers trust. All that it starts ends
 * with it. Returns its exit code and all that it printed.
 */
export function runInNamespaces(
  file: string,
  environment: Readonly<Record<string, string>>,
): { code: number | null; output: string } {
  const work = mkdtempSync(join(tmpdir(), 'potstream-topology-'));
  chmodSync(work, 0o755);
  try {
    mkdirSync(join(work, 'operator'));
    const made = spawnSync('deploy/certificates.sh', [join(work, 'operator/tls'), '11.0.0.2', '11.0.0.3'], {
      cwd: repository,
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(made.stderr);
    chmodSync(join(work, 'operator/tls'), 0o755);
    // Namespaces have names below /run, which is this machine's.
    const script = 'mount -t tmpfs tmpfs /run; mkdir /run/netns; exec "$@"';
    const vitest = [
      process.execPath,
      join(repository, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--testTimeout=86400000',
      file,
    ];
    const { status, stdout, stderr } = spawnSync(
      'setpriv',
      [...dieWithParent, 'unshare', ...flags, 'sh', '-euc', script, 'sh', ...vitest],
      {
        cwd: repository,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        env: {
          ...process.env,
          ...environment,
          POTSTREAM_TOPOLOGY: work,
          NODE_EXTRA_CA_CERTS: join(work, 'operator/tls/ca.pem'),
        },
      },
    );
    return { code: status, output: `${stdout}${stderr}` };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
