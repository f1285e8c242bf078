import { Choice, useFilters } from '../parts/filters.tsx';
import { Heading } from '../parts/states.tsx';
import { may } from '../session/rights.ts';
import { useMe } from '../session/session.tsx';
import { Administrators } from './access/administrators.tsx';
import { Keys } from './access/keys.tsx';
import { Origins } from './access/origins.tsx';
import { ServiceUsers } from './access/service-users.tsx';
import { Wallets } from './access/wallets.tsx';

const parts = [
  ['administrators', 'Administrators', Administrators],
  ['services', 'Service users', ServiceUsers],
  ['wallets', 'Wallets', Wallets],
  ['origins', 'Webhook origins', Origins],
  ['keys', 'Keys', Keys],
] as const;

/** Who and what may reach the service, and where it sends money and events. */
export default function Access() {
  const me = useMe();
  const [filters] = useFilters();
  // Users are shown to those who manage them.
  const seen = may(me, 'secure') ? parts : parts.slice(2);
  const [fallback] = seen[0] as (typeof parts)[number];
  const [, , Part] = parts.find(([name]) => name === (filters.part ?? fallback)) ?? parts[2];
  return (
    <>
      <Heading title="Access" />
      <Choice
        label="Part"
        name="part"
        options={seen.map(([name, label]) => [name, label])}
        fallback={fallback}
      />
      <Part />
    </>
  );
}
