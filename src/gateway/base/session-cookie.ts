/** `__Host-`: browsers take it for this host and path `/` alone, and only with `Secure`. */
const cookieName = '__Host-potstream';
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict';

/** The header that gives a page its session. */
export function sessionCookie(token: string, lifetimeSeconds: number): readonly string[] {
  return ['Set-Cookie', `${cookieName}=${token}; ${attributes}; Max-Age=${lifetimeSeconds}`];
}

export const clearedSessionCookie = sessionCookie('', 0);

/** The token in a Cookie header; null: there is none, or more than one. */
export function sessionTokenIn(header: string | undefined): string | null {
  if (header === undefined || !header.includes(cookieName)) return null;
  const own = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`));
  return own.length === 1 ? (own[0] as string).slice(cookieName.length + 1) : null;
}
