import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { cursorPages } from '../../api/pages.ts';
import type { ServiceUser } from '../../api/rows.ts';
import { Act } from '../../parts/act.tsx';
import { type Column, isoTime, List } from '../../parts/list.tsx';
import { Name, State, Time } from '../../parts/values.tsx';
import { AddServiceUser, ChangeServiceUser, NewKey, SimpleDecision } from './service-decisions.tsx';

type Verb = 'change' | 'key' | 'enable' | 'remove';

/** Programs of operators, which contribute and ask by these accounts. */
export function ServiceUsers() {
  const [isAdding, setIsAdding] = useState(false);
  const [deciding, setDeciding] = useState<{ readonly user: ServiceUser; readonly verb: Verb } | null>(null);
  const columns: readonly Column<ServiceUser>[] = [
    { head: 'User name', cell: (row) => <Name>{row.username}</Name>, text: (row) => row.username },
    { head: 'Operator', cell: (row) => <Name>{row.operator_id}</Name>, text: (row) => row.operator_id },
    {
      head: 'Brands',
      cell: (row) => (row.brands === null ? 'all' : <Name>{row.brands.join(', ')}</Name>),
      text: (row) => row.brands?.join(' ') ?? 'all',
    },
    {
      head: 'Further rights',
      cell: (row) => <Name>{row.rights.join(', ')}</Name>,
      text: (row) => row.rights.join(' '),
    },
    {
      head: 'Signing keys',
      cell: (row) => <Name>{row.key_ids.join(', ')}</Name>,
      text: (row) => row.key_ids.join(' '),
    },
    { head: 'State', cell: (row) => <State>{stateOf(row)}</State>, text: stateOf },
    {
      head: 'Last log-in',
      cell: (row) => <Time ms={row.last_login_timestamp} />,
      text: (row) => isoTime(row.last_login_timestamp),
    },
    {
      head: 'Decide',
      cell: (row) => {
        const act = (verb: Verb, text: string) => (
          <Act needs="secure" begin={() => setDeciding({ user: row, verb })}>
            {text}
          </Act>
        );
        return (
          <span className="actions">
            {act('change', 'Change')}
            {act('key', 'New key')}
            {act('enable', row.enabled ? 'Disable' : 'Enable')}
            {act('remove', 'Remove')}
          </span>
        );
      },
      text: () => '',
    },
  ];
  const close = () => setDeciding(null);
  const user = deciding?.user;
  return (
    <>
      <p>
        <Act needs="secure" begin={() => setIsAdding(true)}>
          Add a service user
        </Act>
      </p>
      <List
        what="service users"
        queryKey={['service-users']}
        load={cursorPages((page) => answerOf(api.GET('/config/service-users', { params: { query: page } })))}
        columns={columns}
        keyOf={(row) => row.username}
        empty="There is no service user that you can see."
      />
      {isAdding && <AddServiceUser close={() => setIsAdding(false)} />}
      {user !== undefined && deciding?.verb === 'change' && <ChangeServiceUser user={user} close={close} />}
      {user !== undefined && deciding?.verb === 'key' && <NewKey user={user} close={close} />}
      {user !== undefined && (deciding?.verb === 'enable' || deciding?.verb === 'remove') && (
        <SimpleDecision user={user} removes={deciding.verb === 'remove'} close={close} />
      )}
    </>
  );
}

function stateOf({ enabled }: ServiceUser): string {
  return enabled ? 'active' : 'disabled';
}
