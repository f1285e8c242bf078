/** `npm run checks` runs everything with a million commands; `npm test` runs a part of it. */
export const isWhole = process.env.POTSTREAM_CHECKS === 'whole';

/** How much of something a check does: in part, and in whole. */
export function scaled(part: number, whole: number): number {
  const asked = process.env.POTSTREAM_CHECKS_FACTOR;
  if (asked !== undefined) return Math.max(1, Math.ceil(part * Number(asked)));
  return isWhole ? whole : part;
}

/** Time that a check may take; it gates nothing but an endless loop. Somebody may measure beside a whole run. */
export const patienceMs = isWhole || process.env.POTSTREAM_CHECKS_FACTOR !== undefined ? 86_400_000 : 300_000;

/** Says how much a check has seen and what its process has used for it, so that nobody has to believe a document. */
export function saw(check: string, numbers: Readonly<Record<string, number>>): void {
  const parts = Object.entries(numbers).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  const { user, system } = process.cpuUsage();
  const seconds = Math.round((user + system) / 1_000_000);
  console.info(`${check} saw ${parts.join(', ')}; ${seconds} s of processor time so far`);
}
