import type { ReactNode } from 'react';
import { type Action, whyNot } from '../session/rights.ts';
import { useMe } from '../session/session.tsx';

/** Begins what not everybody may do. Where the person may not, it keeps its place for keys, and says which role it needs. */
export function Act({
  needs,
  forbidden = null,
  begin,
  children,
}: {
  readonly needs: Action;
  /** Why not, apart from the role. */
  readonly forbidden?: string | null;
  readonly begin: () => void;
  readonly children: ReactNode;
}) {
  const me = useMe();
  const reason = forbidden ?? whyNot(me, needs);
  if (reason === null)
    return (
      <button type="button" onClick={begin}>
        {children}
      </button>
    );
  return (
    <button type="button" aria-disabled="true" title={reason}>
      {children}
    </button>
  );
}
