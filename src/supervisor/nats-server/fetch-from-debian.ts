import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ArchiveSource, parseSources, renderSource, suitesOf } from './debian-sources.ts';
import { type Inspection, inspectNatsServer } from './inspect.ts';
import { runCommand } from './run-command.ts';

const updateTimeoutMs = 240_000;
const downloadTimeoutMs = 240_000;
const unpackTimeoutMs = 60_000;
const debianKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const ubuntuKeyring = '/usr/share/keyrings/ubuntu-archive-keyring.gpg';

/**
 * Fetches the distribution's own nats-server with apt's signature check, unpacks it beside the system — no
 * lists, no cache and no package database of the system change, and root is not needed — and puts the binary
 * at `targetPath`.
 */
export async function fetchFromDebian(
  targetPath: string,
  print: (line: string) => void,
): Promise<Inspection> {
  const unsuitable = (reason: string): Inspection => ({ kind: 'unsuitable', path: targetPath, reason });
  if (!existsSync('/usr/bin/apt-get'))
    return unsuitable('none is installed, and there is no apt to fetch one with');
  const sources = await archiveSources();
  if (sources.length === 0) return unsuitable('no Debian or Ubuntu archive is among the sources of apt');
  const reasons: string[] = [];
  for (const source of sources) {
    for (const suite of suitesOf(source)) {
      print(`Fetching nats-server from ${source.uri} ${suite} (once; below ${dirname(targetPath)})…`);
      const fetched = await fetchFromSuite(source, suite, targetPath);
      if (fetched.kind === 'suitable') return fetched;
      reasons.push(`${suite}: ${fetched.reason}`);
    }
  }
  return unsuitable(reasons.join('; '));
}

async function archiveSources(): Promise<ArchiveSource[]> {
  const directory = '/etc/apt/sources.list.d';
  const names = await readdir(directory).catch(() => []);
  const files = names.filter((name) => /\.(sources|list)$/.test(name)).map((name) => join(directory, name));
  const sources: ArchiveSource[] = [];
  for (const file of ['/etc/apt/sources.list', ...files.sort()]) {
    sources.push(...parseSources(await readFile(file, 'utf8').catch(() => '')));
  }
  const complete = sources.map(withKeyring);
  // Debian's package runs on Ubuntu as well, where Debian's keyring is installed.
  if (complete.some((source) => source.distribution === 'ubuntu') && existsSync(debianKeyring)) {
    complete.push({ distribution: 'debian', uri: 'http://deb.debian.org/debian', signedBy: debianKeyring });
  }
  const unique = new Map(complete.map((source) => [source.distribution, source]));
  return [...unique.values()];
}

function withKeyring(source: ArchiveSource): ArchiveSource {
  if (source.signedBy !== null) return source;
  const keyring = source.distribution === 'debian' ? debianKeyring : ubuntuKeyring;
  return existsSync(keyring) ? { ...source, signedBy: keyring } : source;
}

async function fetchFromSuite(source: ArchiveSource, suite: string, targetPath: string): Promise<Inspection> {
  const work = await mkdtemp(join(tmpdir(), 'potstream-nats-server-'));
  try {
    return await fetchInto(work, source, suite, targetPath);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchInto(
  work: string,
  source: ArchiveSource,
  suite: string,
  targetPath: string,
): Promise<Inspection> {
  const unsuitable = (step: string, output: string): Inspection => {
    const lastLine = output.trim().split('\n').at(-1) ?? '';
    return { kind: 'unsuitable', path: targetPath, reason: `${step} failed (${lastLine})` };
  };
  const options = await writeAptOptions(work, renderSource(source, suite));
  const update = await runCommand('apt-get', [...options, 'update'], {
    timeoutMs: updateTimeoutMs,
    cwd: work,
  });
  if (update.exitCode !== 0) return unsuitable('apt-get update', update.output);
  const download = await runCommand('apt-get', [...options, 'download', 'nats-server'], {
    timeoutMs: downloadTimeoutMs,
    cwd: work,
  });
  const archive = (await readdir(work)).find((name) => name.endsWith('.deb'));
  if (download.exitCode !== 0 || archive === undefined)
    return unsuitable('apt-get download', download.output);
  const unpack = await runCommand('dpkg', ['-x', join(work, archive), join(work, 'root')], {
    timeoutMs: unpackTimeoutMs,
  });
  if (unpack.exitCode !== 0) return unsuitable('dpkg -x', unpack.output);
  return install(join(work, 'root/usr/sbin/nats-server'), targetPath);
}

/** Everything apt writes goes below `work`; hooks and pins of the machine do not apply. */
async function writeAptOptions(work: string, sourceText: string): Promise<string[]> {
  const sourceFile = join(work, 'archive.sources');
  const configurationFile = join(work, 'apt.conf');
  await writeFile(sourceFile, sourceText);
  await writeFile(
    configurationFile,
    '#clear APT::Update::Post-Invoke;\n#clear APT::Update::Post-Invoke-Success;\n',
  );
  for (const directory of ['lists/partial', 'cache/archives/partial', 'log']) {
    await mkdir(join(work, directory), { recursive: true });
  }
  const settings = [
    `Dir::Etc::sourcelist=${sourceFile}`,
    'Dir::Etc::sourceparts=-',
    'Dir::Etc::preferences=-',
    'Dir::Etc::preferencesparts=-',
    `Dir::State::Lists=${join(work, 'lists')}`,
    `Dir::Cache=${join(work, 'cache')}`,
    `Dir::Log=${join(work, 'log')}`,
    'APT::Default-Release=',
    // The unprivileged user of apt could not write below a directory of ours.
    'APT::Sandbox::User=',
    'Acquire::Languages=none',
    'Acquire::Retries=3',
  ];
  return ['-q', '-c', configurationFile, ...settings.flatMap((setting) => ['-o', setting])];
}

/** Checks the unpacked binary, and moves it into place in one step: others may look for it now. */
async function install(unpackedPath: string, targetPath: string): Promise<Inspection> {
  const inspection = await inspectNatsServer(unpackedPath);
  if (inspection.kind === 'unsuitable') return inspection;
  const arriving = `${targetPath}.${process.pid}`;
  await mkdir(dirname(targetPath), { recursive: true });
  await copyFile(unpackedPath, arriving);
  await chmod(arriving, 0o755);
  await rename(arriving, targetPath);
  return { ...inspection, path: targetPath };
}
