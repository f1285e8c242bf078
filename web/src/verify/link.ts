/**
 * What a link to this page names: `/verify?instance=…&epoch=…&seq=…`. Who saw a win and does not know its number names
 * the pot and the moment instead: `/verify?instance=…&pot=…&at=…` (milliseconds).
 */
export interface Link {
  readonly instance: string;
  readonly epoch: number | null;
  readonly sequence: number | null;
  readonly win?: { readonly pot: string; readonly atMs: number } | null;
}

export function readLink(search: string): Link {
  const parameters = new URLSearchParams(search);
  const pot = parameters.get('pot');
  const atMs = countOf(parameters.get('at'));
  return {
    win: pot === null || atMs === null ? null : { pot, atMs },
    instance: parameters.get('instance') ?? '',
    epoch: countOf(parameters.get('epoch')),
    sequence: countOf(parameters.get('seq')),
  };
}

export function linkText({ epoch, instance, sequence }: Link): string {
  const parameters = new URLSearchParams({ instance });
  if (epoch !== null) parameters.set('epoch', String(epoch));
  if (sequence !== null) parameters.set('seq', String(sequence));
  return `?${parameters}`;
}

/** A number as it is typed; null where it is none. */
export function countOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}
