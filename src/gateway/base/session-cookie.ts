/** `__Host-`: browsers take it for this host and path `/` alone, and only with `Secure`. */
const cookieName = '__Host-potstream';
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict';

/** The header that gives a page its session. */
export function sessionCookie(token: string, lifetimeSeconds: number): readonly string[] {
  return ['Set-Cookie', `${cookieName}=${token}; ${attributes}; Max-Age=${lifetimeSeconds}`];
}

export const clearedSessionCookie = sessionCookie('', 0);

/** `Lax`: the browser sends it when it comes back from a page of another site. */
const attemptName = '__Host-potstream-login';

/** The header that keeps a log-in with the browser while that is at an identity provider. */
export function attemptCookie(sealed: string, lifetimeSeconds: number): readonly string[] {
  const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax';
  return ['Set-Cookie', `${attemptName}=${sealed}; ${attributes}; Max-Age=${lifetimeSeconds}`];
}

export const clearedAttemptCookie = attemptCookie('', 0);

/** The token in a Cookie header; null: there is none, or more than one. */
export function sessionTokenIn(header: string | undefined): string | null {
  return cookieIn(header, cookieName);
}

/** As `sessionTokenIn`, the log-in that has gone to an identity provider. */
export function attemptIn(header: string | undefined): string | null {
  return cookieIn(header, attemptName);
}

function cookieIn(header: string | undefined, name: string): string | null {
  if (header === undefined || !header.includes(name)) return null;
  const own = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return own.length === 1 ? (own[0] as string).slice(name.length + 1) : null;
}
