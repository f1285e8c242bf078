interface Certified {
  readonly base_url: string;
  readonly certificate: {
    readonly base_url: string;
    readonly certified: boolean;
    readonly verified_timestamp: number;
    readonly version: string;
    readonly passed: number;
    readonly failed: readonly string[];
    readonly skipped: readonly string[];
    readonly recorded_by: string;
    readonly recorded_timestamp: number;
  } | null;
}

type Certificate = NonNullable<Certified['certificate']>;

/** Which checks passed, and which did not. */
export function checksText({ passed, version, failed, skipped }: Certificate): string {
  return [
    `${passed} checks of version ${version} passed`,
    ...(failed.length === 0 ? [] : [`failed: ${failed.join(', ')}`]),
    ...(skipped.length === 0 ? [] : [`skipped: ${skipped.join(', ')}`]),
  ].join('; ');
}

/** Whether it is of another wallet than the one that is called now. */
export function isOfAnotherAddress({ base_url, certificate }: Certified): boolean {
  return certificate !== null && certificate.base_url !== base_url;
}

/** All of it, for an export. */
export function certificateText(wallet: Certified): string {
  const { certificate } = wallet;
  if (certificate === null) return '';
  const { certified, verified_timestamp, recorded_by, base_url } = certificate;
  return [
    `${certified ? 'certified' : 'failed'} ${new Date(verified_timestamp).toISOString()}`,
    `recorded by ${recorded_by}`,
    checksText(certificate),
    ...(isOfAnotherAddress(wallet) ? [`of another address: ${base_url}`] : []),
  ].join('; ');
}

const maxBytes = 1024 * 1024;

/** What a file has. @throws Error in words where it is none of the checks */
export async function certificateIn(file: Blob): Promise<object> {
  const text = file.size > maxBytes ? '' : await file.text();
  let read: unknown = null;
  try {
    read = JSON.parse(text);
  } catch {
    // Said below.
  }
  if (typeof read === 'object' && read !== null && 'verified_timestamp' in read) return read;
  throw new Error('The file is no certificate: choose the one that `--certificate` wrote, not the report.');
}
