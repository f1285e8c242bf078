/** The versions of nats-server that we run on: ≥ 2.15 and < 3. */

export type Version = { readonly major: number; readonly minor: number; readonly patch: number };

const minVersion: Version = { major: 2, minor: 15, patch: 0 };
export const wantedVersions = '>= 2.15 < 3';

/** Reads what `nats-server --version` prints ("nats-server: v2.15.1"); null when it is something else. */
export function parseVersion(text: string): Version | null {
  const match = /(?:^|\s|v)(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?/.exec(text);
  if (match === null) return null;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3] ?? 0) };
}

export function isSuitable(version: Version): boolean {
  return version.major === minVersion.major && version.minor >= minVersion.minor;
}

export function versionText(version: Version): string {
  return `${version.major}.${version.minor}.${version.patch}`;
}
