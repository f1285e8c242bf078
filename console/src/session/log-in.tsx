import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { ApiError, errorOf } from '../api/errors.ts';
import { CompanyLogIn } from './company.tsx';
import type { Me } from './session.tsx';

/** Asks for a user name and a password; the demo's administrator needs one click. */
export function LogIn({ begun, hasEnded }: { readonly begun: (me: Me) => void; readonly hasEnded: boolean }) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { data: settings } = useQuery({ queryKey: ['settings'], queryFn: readSettings, retry: false });

  async function begin(session: Promise<Me>): Promise<void> {
    setIsBusy(true);
    setTrouble(null);
    try {
      begun(await session);
    } catch (error) {
      setTrouble(inWords(error));
      setIsBusy(false);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const body = { username: String(fields.get('username')), password: String(fields.get('password')) };
    void begin(bodyOf(api.POST('/auth/admin/session', { body })));
  }

  return (
    <main className="log-in">
      <h1>Potstream console</h1>
      {hasEnded && (
        <p className="warning" role="status">
          Your session has ended; log in again and you are back where you were.
        </p>
      )}
      <form onSubmit={submit}>
        <label>
          User name
          <input name="username" autoComplete="username" required dir="auto" />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button type="submit" className="primary" disabled={isBusy}>
          Log in
        </button>
        {settings?.has_demo_login === true && (
          <button type="button" disabled={isBusy} onClick={() => void begin(demoSession())}>
            Enter the demo
          </button>
        )}
        <p role="alert">{trouble}</p>
      </form>
      <CompanyLogIn />
    </main>
  );
}

async function readSettings(): Promise<{ readonly has_demo_login: boolean }> {
  return (await fetch('/console/settings.json')).json();
}

/** The service logs in for the page: the page never has the password. */
async function demoSession(): Promise<Me> {
  const response = await fetch('/demo/console-session', { method: 'POST' });
  const body: unknown = await response.json();
  if (!response.ok) throw errorOf(response, body);
  return body as Me;
}

function inWords(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The service does not answer.';
  switch (error.code) {
    case 'invalid_credentials':
      return 'The user name or the password is wrong.';
    case 'too_many_attempts':
      return 'There were too many attempts. Try again in a minute.';
    default:
      return error.message;
  }
}
