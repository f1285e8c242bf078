import { expect, test } from 'vitest';
import { parseSources, renderSource, suitesOf } from '../../../src/supervisor/nats-server/debian-sources.ts';

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

test('reads deb822 stanzas, without security archives, strangers and what is switched off', () => {
  const text = `Types: deb deb-src
# a comment within
URIs: http://deb.debian.org/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: ${keyring}

Types: deb
URIs: http://deb.debian.org/debian-security
Suites: bookworm-security
Components: main

Types: deb
URIs: https://packages.example.com/apt
Suites: stable
Components: main

Enabled: no
Types: deb
URIs: http://off.example.com/debian
Suites: bookworm
Components: main
`;
  expect(parseSources(text)).toEqual([
    { distribution: 'debian', uri: 'http://deb.debian.org/debian', signedBy: keyring },
  ]);
});

test('reads one-line sources', () => {
  const text = `# deb http://commented.example.com/debian bookworm main
deb [arch=amd64 signed-by=${keyring}] https://mirror.example.com/debian/ bookworm main
deb-src http://deb.debian.org/debian bookworm main
deb http://archive.ubuntu.com/ubuntu noble universe`;
  expect(parseSources(text)).toEqual([
    { distribution: 'debian', uri: 'https://mirror.example.com/debian/', signedBy: keyring },
    { distribution: 'ubuntu', uri: 'http://archive.ubuntu.com/ubuntu', signedBy: null },
  ]);
});

test('a key written into the stanza itself is not taken for a path', () => {
  const text = `Types: deb
URIs: http://deb.debian.org/debian
Suites: bookworm
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
`;
  expect(parseSources(text)).toEqual([
    { distribution: 'debian', uri: 'http://deb.debian.org/debian', signedBy: null },
  ]);
});

test('asks for a newer suite of the same archive, with its keyring', () => {
  const source = { distribution: 'debian', uri: 'http://deb.debian.org/debian', signedBy: keyring } as const;
  expect(suitesOf(source)).toEqual(['forky', 'sid']);
  expect(renderSource(source, 'forky')).toBe(
    `Types: deb\nURIs: http://deb.debian.org/debian\nSuites: forky\nComponents: main\nSigned-By: ${keyring}\n`,
  );
});
