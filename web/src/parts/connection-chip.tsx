import type { FeedState } from '@potstream/client';

const words: Record<FeedState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  stale: 'Reconnecting',
  offline: 'Offline',
};

export function ConnectionChip({ state }: { state: FeedState }) {
  return (
    <p class={`chip connection is-${state}`} role="status" data-testid="connection">
      <span class="dot" aria-hidden="true" />
      {words[state]}
    </p>
  );
}
