/** An id that says the name: only what an id may have. */
export function idOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '');
}

const maxLength = 64;
