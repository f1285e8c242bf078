import type { ReactNode } from 'react';
import { ApiError } from '../api/errors.ts';

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="quiet" role="status">
      Loading {what}…
    </p>
  );
}

/** Why there is nothing to see, and what to do about it. */
export function Trouble({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const known = error instanceof ApiError ? error : null;
  return (
    <div className="trouble" role="alert">
      <p>
        <strong>{titleOf(known)}</strong> {error instanceof Error ? error.message : String(error)}
      </p>
      {known !== null && (
        <p className="quiet">
          {known.code}
          {known.requestId !== null && <> · request {known.requestId}</>}
        </p>
      )}
      {again !== undefined && known?.status !== 403 && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

function titleOf(error: ApiError | null): string {
  if (error?.code === 'second_factor_required') return 'One more step.';
  if (error?.code === 'invalid_credentials') return 'That is not your password.';
  switch (error?.status) {
    case 403:
      return 'You may not see this.';
    case 404:
      return 'There is nothing here that you can see.';
    case 0:
      return 'No connection.';
    default:
      return 'That did not work.';
  }
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="quiet empty">{children}</p>;
}

/** A screen's heading, and what can be done on it. */
export function Heading({ title, children }: { readonly title: ReactNode; readonly children?: ReactNode }) {
  return (
    <header className="heading">
      <h1 tabIndex={-1}>{title}</h1>
      <div className="actions">{children}</div>
    </header>
  );
}
