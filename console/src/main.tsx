import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { endsSession, isTemporary } from './api/errors.ts';
import { router } from './routes.tsx';
import { Session, sessionHasEnded } from './session/session.tsx';
import './styles.css';

const maxTries = 3;

function onError(error: unknown): void {
  // The session is over: its person sees the log-in, and nobody else what was on the screen.
  if (endsSession(error)) sessionHasEnded(client);
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => isTemporary(error) && failures < maxTries,
      staleTime: 2_000,
    },
  },
});

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Session>
        <RouterProvider router={router} />
      </Session>
    </QueryClientProvider>
  </StrictMode>,
);
