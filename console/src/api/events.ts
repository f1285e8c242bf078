import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { follow, onFollowing, periodNow } from './hints.ts';

/** How often to ask for what hints come of. */
export function usePeriod(ms: number): number {
  return useSyncExternalStore(onFollowing, () => periodNow(ms));
}

/** Follows the gateway's events as long as the component is there. */
export function useEvents(): void {
  const client = useQueryClient();
  useEffect(() => {
    const connect = (url: string) => new EventSource(url);
    const refresh = (queryKey: readonly string[]) => void client.invalidateQueries({ queryKey });
    return follow({ connect, page: document, refresh });
  }, [client]);
}
