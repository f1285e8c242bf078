/** The sources of this machine's Debian or Ubuntu packages, and their signing keys. */
export type ArchiveSource = {
  readonly distribution: 'debian' | 'ubuntu';
  readonly uri: string;
  /** Path of a keyring, or null for apt's trusted keys. */
  readonly signedBy: string | null;
};

/** The source `apt` is given to find nats-server in, in deb822 form. */
export function renderSource(source: ArchiveSource, suite: string): string {
  const lines = [
    'Types: deb',
    `URIs: ${source.uri}`,
    `Suites: ${suite}`,
    `Components: ${source.distribution === 'ubuntu' ? 'universe' : 'main'}`,
  ];
  if (source.signedBy !== null) lines.push(`Signed-By: ${source.signedBy}`);
  return `${lines.join('\n')}\n`;
}

/** Suites that have, or will have, a nats-server that is new enough; the calmer first. */
export function suitesOf(source: ArchiveSource): readonly string[] {
  return source.distribution === 'debian' ? ['forky', 'sid'] : ['devel'];
}

/**
 * Reads one file of /etc/apt: the text of a `.sources` file (deb822 stanzas) or of a `.list` file (one line a
 * source). Only the archives of the distributions themselves count: no security archive, no third party.
 */
export function parseSources(text: string): ArchiveSource[] {
  return /^\s*URIs:/im.test(text) ? parseStanzas(text) : parseLines(text);
}

function parseStanzas(text: string): ArchiveSource[] {
  const withoutComments = text.replace(/^#.*\n?/gm, '');
  return withoutComments.split(/\n\s*\n/).flatMap((stanza) => {
    const field = (name: string): string | null =>
      new RegExp(`^${name}:[ \\t]*(.+)$`, 'im').exec(stanza)?.[1]?.trim() ?? null;
    if (!/\bdeb\b/.test(field('Types') ?? '') || /^no$/i.test(field('Enabled') ?? '')) return [];
    const signedBy = field('Signed-By');
    return (field('URIs') ?? '').split(/\s+/).flatMap((uri) => asSource(uri, signedBy));
  });
}

function parseLines(text: string): ArchiveSource[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+\S+/.exec(line);
    if (match === null) return [];
    const signedBy = /signed-by=(\S+)/i.exec(match[1] ?? '')?.[1] ?? null;
    return asSource(match[2] ?? '', signedBy);
  });
}

function asSource(uri: string, signedBy: string | null): ArchiveSource[] {
  const distribution = /\/(debian|ubuntu)\/?$/.exec(uri)?.[1];
  if (distribution !== 'debian' && distribution !== 'ubuntu') return [];
  if (/security/.test(uri)) return [];
  // An inline key is multi-line and not a path; then apt's trusted keys have to do.
  return [{ distribution, uri, signedBy: signedBy?.startsWith('/') ? signedBy : null }];
}
