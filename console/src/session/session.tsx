import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { api, bodyOf } from '../api/client.ts';
import type { paths } from '../api/generated.ts';
import { Loading, Trouble } from '../parts/states.tsx';
import { cameBack } from './company.tsx';
import { LogIn } from './log-in.tsx';

export type Me = paths['/auth/admin/me']['get']['responses'][200]['content']['application/json'];

export const meKey = ['me'];
/** Says that a session may be there, so that nobody is asked in vain, or has ended; the session itself is no script's. */
const mark = 'potstream-console-session';
const ended = 'ended';
const renewEveryMs = 10 * 60_000;

const MeContext = createContext<Me | null>(null);

/** The person who has logged in. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === null) throw new Error('Nobody has logged in.');
  return me;
}

/** Shows its children to a person who has logged in, and the log-in to everybody else. */
export function Session({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: meKey,
    queryFn: async (): Promise<Me | null> => {
      if (cameBack.end === 'done') localStorage.setItem(mark, '1');
      if ([null, ended].includes(localStorage.getItem(mark))) return null;
      return bodyOf(api.GET('/auth/admin/me'));
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const hasSession = data !== null && data !== undefined;
  useEffect(() => {
    if (!hasSession) return;
    const timer = setInterval(async () => {
      const renewed = await bodyOf(api.PUT('/auth/admin/session')).catch(() => null);
      if (renewed !== null) client.setQueryData(meKey, renewed);
    }, renewEveryMs);
    return () => clearInterval(timer);
  }, [hasSession, client]);

  if (isPending) return <Loading what="your session" />;
  if (error !== null) return <Trouble error={error} again={() => void refetch()} />;
  if (!hasSession) {
    const begun = (me: Me) => {
      localStorage.setItem(mark, '1');
      client.setQueryData(meKey, me);
    };
    return <LogIn begun={begun} hasEnded={localStorage.getItem(mark) === ended} />;
  }
  return <MeContext value={data}>{children}</MeContext>;
}

/** Forgets everything that this person has seen. */
export function forgetSession(client: ReturnType<typeof useQueryClient>): void {
  localStorage.removeItem(mark);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] });
  client.setQueryData(meKey, null);
}

/** The service knows the session no more. Who has logged out, or sees the log-in already, is not surprised by it. */
export function sessionHasEnded(client: ReturnType<typeof useQueryClient>): void {
  if (client.getQueryData(meKey) === null) return;
  forgetSession(client);
  localStorage.setItem(mark, ended);
}

export async function logOut(client: ReturnType<typeof useQueryClient>): Promise<void> {
  await bodyOf(api.DELETE('/auth/admin/session'));
  forgetSession(client);
}
