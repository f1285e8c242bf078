import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { cursorPages } from '../../api/pages.ts';
import type { Administrator } from '../../api/rows.ts';
import { Act } from '../../parts/act.tsx';
import { type Column, isoTime, List } from '../../parts/list.tsx';
import { Name, State, Time } from '../../parts/values.tsx';
import { useMe } from '../../session/session.tsx';
import {
  AddAdministrator,
  ChangeAdministrator,
  EnableAdministrator,
  ResetFactor,
} from './administrator-decisions.tsx';

type Verb = 'change' | 'enable' | 'reset';

/** Administrators all of whose owners are the person's. */
export function Administrators() {
  const me = useMe();
  const [isAdding, setIsAdding] = useState(false);
  const [deciding, setDeciding] = useState<{ readonly user: Administrator; readonly verb: Verb } | null>(
    null,
  );
  const columns: readonly Column<Administrator>[] = [
    { head: 'User name', cell: (row) => <Name>{row.username}</Name>, text: (row) => row.username },
    { head: 'Roles', cell: (row) => row.roles.join(', '), text: (row) => row.roles.join(' ') },
    {
      head: 'Owners',
      cell: (row) => <Name>{row.owners.join(', ')}</Name>,
      text: (row) => row.owners.join(' '),
    },
    { head: 'State', cell: (row) => <State>{stateOf(row)}</State>, text: stateOf },
    {
      head: 'Last log-in',
      cell: (row) => <Time ms={row.last_login_timestamp} />,
      text: (row) => isoTime(row.last_login_timestamp),
    },
    {
      head: 'Created',
      cell: (row) => <Time ms={row.created_timestamp} />,
      text: (row) => isoTime(row.created_timestamp),
    },
    {
      head: 'Decide',
      cell: (row) => {
        const forbidden =
          row.username === me.username ? 'Another administrator has to change your own account.' : null;
        const act = (verb: Verb, text: string) => (
          <Act needs="secure" forbidden={forbidden} begin={() => setDeciding({ user: row, verb })}>
            {text}
          </Act>
        );
        return (
          <span className="actions">
            {act('change', 'Change')}
            {act('enable', row.enabled ? 'Disable' : 'Enable')}
            {act('reset', 'Reset second factor')}
          </span>
        );
      },
      text: () => '',
    },
  ];
  const close = () => setDeciding(null);
  return (
    <>
      <p>
        <Act needs="secure" begin={() => setIsAdding(true)}>
          Add an administrator
        </Act>
      </p>
      <List
        what="administrators"
        queryKey={['users']}
        load={cursorPages((page) => answerOf(api.GET('/config/users', { params: { query: page } })))}
        columns={columns}
        keyOf={(row) => row.username}
        empty="There is no administrator all of whose owners are yours."
      />
      {isAdding && <AddAdministrator close={() => setIsAdding(false)} />}
      {deciding?.verb === 'change' && <ChangeAdministrator user={deciding.user} close={close} />}
      {deciding?.verb === 'enable' && <EnableAdministrator user={deciding.user} close={close} />}
      {deciding?.verb === 'reset' && <ResetFactor user={deciding.user} close={close} />}
    </>
  );
}

function stateOf({ enabled }: Administrator): string {
  return enabled ? 'active' : 'disabled';
}
