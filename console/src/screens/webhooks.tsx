import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import type { CorsRule, Subscription } from '../api/rows.ts';
import { Act } from '../parts/act.tsx';
import { Filters, useFilters } from '../parts/filters.tsx';
import { type Column, isoTime, Rows } from '../parts/list.tsx';
import { Empty, Heading, Loading, Trouble } from '../parts/states.tsx';
import { Name, Time } from '../parts/values.tsx';
import type { Action } from '../session/rights.ts';
import { useMe } from '../session/session.tsx';
import { type Change, WebhookDecision } from './webhooks/decision.tsx';

/** Where an operator's servers are sent events, and which pages of others may read answers about it. */
export default function Webhooks() {
  const me = useMe();
  const [filters] = useFilters();
  const own = me.owners.filter((owner) => owner !== '*' && !owner.includes(':'));
  const operator = filters.operator ?? (own.length === 1 ? own[0] : undefined);
  const [change, setChange] = useState<Change | null>(null);
  return (
    <>
      <Heading title="Webhooks" />
      <Filters fields={[{ name: 'operator', label: 'Operator' }]} />
      <p className="quiet">
        Events go to{' '}
        <Link to="/access" search={{ part: 'origins' }}>
          registered origins
        </Link>{' '}
        only.
      </p>
      {operator === undefined ? (
        <Empty>Name an operator to see where it is sent events.</Empty>
      ) : (
        <Lists key={operator} operator={operator} decide={setChange} />
      )}
      {change !== null && <WebhookDecision {...change} close={() => setChange(null)} />}
    </>
  );
}

interface Deciding {
  readonly operator: string;
  readonly decide: (change: Change) => void;
}

function Lists(common: Deciding) {
  return (
    <>
      <Subscriptions {...common} />
      <Pages {...common} />
    </>
  );
}

function Subscriptions({ operator, decide }: Deciding) {
  const asked = useQuery({
    queryKey: ['webhooks', operator, 'subscriptions'],
    queryFn: () =>
      bodyOf(api.GET('/config/webhooks/subscriptions', { params: { query: { owner_id: operator } } })),
  });
  const columns: readonly Column<Subscription>[] = [
    { head: 'Address', cell: (row) => <Name>{row.url}</Name>, text: (row) => row.url },
    { head: 'Events', cell: (row) => row.event_types.join(', '), text: (row) => row.event_types.join(' ') },
    {
      head: 'Brands',
      cell: (row) => <Name>{row.brand_ids?.join(', ') ?? 'all'}</Name>,
      text: (row) => row.brand_ids?.join(' ') ?? 'all',
    },
    {
      head: 'Since',
      cell: (row) => <Time ms={row.created_timestamp} />,
      text: (row) => isoTime(row.created_timestamp),
    },
    {
      head: 'Change',
      cell: (subscription) => (
        <span className="actions">
          <Act needs="subscribe" begin={() => decide({ kind: 'change subscription', subscription })}>
            Change
          </Act>
          <Act needs="subscribe" begin={() => decide({ kind: 'remove subscription', subscription })}>
            Remove
          </Act>
        </span>
      ),
      text: () => '',
    },
  ];
  return (
    <Section
      title="Events to servers"
      needs="subscribe"
      add="Subscribe an address"
      onAdd={() => decide({ kind: 'subscribe', operator })}
    >
      <Asked {...asked} what="subscriptions">
        {(rows) =>
          rows.length === 0 ? (
            <Empty>No server of {operator} is sent events.</Empty>
          ) : (
            <Rows what="subscriptions" rows={rows} columns={columns} keyOf={(row) => row.id} />
          )
        }
      </Asked>
    </Section>
  );
}

function Pages({ operator, decide }: Deciding) {
  const asked = useQuery({
    queryKey: ['webhooks', operator, 'pages'],
    queryFn: async () => {
      const query = { owner_id: operator };
      return (await bodyOf(api.GET('/config/cors/origins', { params: { query } }))).cors_origin_list;
    },
  });
  const columns: readonly Column<CorsRule>[] = [
    { head: 'Origin', cell: (row) => <Name>{row.pattern}</Name>, text: (row) => row.pattern },
    { head: 'Compared as', cell: (row) => row.match_mode, text: (row) => row.match_mode },
    {
      head: 'Change',
      cell: ({ pattern }) => (
        <Act needs="origins" begin={() => decide({ kind: 'remove page', operator, pattern })}>
          Remove
        </Act>
      ),
      text: () => '',
    },
  ];
  return (
    <Section
      title="Pages that may read answers"
      needs="origins"
      add="Allow pages"
      onAdd={() => decide({ kind: 'allow pages', operator })}
    >
      <Asked {...asked} what="cross-origin rules">
        {(rows) =>
          rows.length === 0 ? (
            <Empty>
              No page of another origin reads answers about {operator}, but by rules of the system.
            </Empty>
          ) : (
            <Rows what="cross-origin rules" rows={rows} columns={columns} keyOf={(row) => row.pattern} />
          )
        }
      </Asked>
    </Section>
  );
}

function Section({
  title,
  needs,
  add,
  onAdd,
  children,
}: {
  readonly title: string;
  readonly needs: Action;
  readonly add: string;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}) {
  return (
    <section>
      <div className="heading">
        <h2>{title}</h2>
        <Act needs={needs} begin={onAdd}>
          {add}
        </Act>
      </div>
      {children}
    </section>
  );
}

/** An answer that is no list of pages, or what keeps it. */
function Asked<T>({
  what,
  data,
  error,
  refetch,
  children,
}: {
  readonly what: string;
  readonly data: T | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly children: (data: T) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  return error === null ? <Loading what={what} /> : <Trouble error={error} again={() => void refetch()} />;
}
