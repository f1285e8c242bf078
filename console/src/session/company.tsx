import type { FormEvent } from 'react';
import { idPattern } from '../parts/fields.tsx';

/** How a log-in at an identity provider ended, and of which operator: the address says it, once. */
export const cameBack = takenFromAddress();

function takenFromAddress(): { readonly end: string | null; readonly operator: string } {
  const address = new URL(window.location.href);
  const end = address.searchParams.get('log_in');
  const operator = address.searchParams.get('operator') ?? '';
  if (end !== null) {
    for (const name of ['log_in', 'operator']) address.searchParams.delete(name);
    window.history.replaceState(window.history.state, '', address);
  }
  return { end, operator };
}

const inWords: Readonly<Record<string, string>> = {
  expired: 'The log-in took too long, or was begun in another window. Begin again.',
  refused:
    'Your company’s log-in was refused, or no account here is bound to it. Ask an administrator with the role security.',
  unavailable: 'Your company’s log-in does not answer. Try again in a minute, or use your password.',
  too_many: 'There were too many attempts. Try again in a minute.',
  not_set_up: 'The operator has no log-in of its company here.',
};

/** Sends a person to the identity provider of an operator, and says why the last one came back without a session. */
export function CompanyLogIn() {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const operator = String(new FormData(event.currentTarget).get('operator'));
    window.location.assign(`/auth/admin/oidc/${encodeURIComponent(operator)}`);
  }
  return (
    <form onSubmit={submit}>
      <h2>Log in with your company</h2>
      <label>
        Operator
        <input name="operator" defaultValue={cameBack.operator} pattern={idPattern} required dir="auto" />
      </label>
      <button type="submit">Continue</button>
      <p role="alert">{cameBack.end === null ? null : inWords[cameBack.end]}</p>
    </form>
  );
}
