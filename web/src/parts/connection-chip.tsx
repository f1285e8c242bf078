import type { ConnectionState } from '../feed/connection-state.ts';

const words: Record<ConnectionState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  waiting: 'Reconnecting',
};

export function ConnectionChip({ state }: { state: ConnectionState }) {
  return (
    <p class={`chip connection is-${state}`} role="status" data-testid="connection">
      <span class="dot" aria-hidden="true" />
      {words[state]}
    </p>
  );
}
