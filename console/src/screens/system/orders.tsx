import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, bodyOf } from '../../api/client.ts';
import type { Host, Lane, PlannedMove } from '../../api/rows.ts';
import { Decide, reasonOf } from '../../parts/decide.tsx';
import { Loading, Trouble } from '../../parts/states.tsx';
import { Name } from '../../parts/values.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';

const stale = ['lanes', 'hosts', 'failovers', 'preview'];

/** Moves a lane to a host, or gives it back to the rule that places all lanes. */
export function MoveLane(props: {
  readonly lane: Lane;
  readonly hosts: readonly string[];
  readonly close: () => void;
}) {
  const { lane, hosts, close } = props;
  const path = { lane: lane.lane };
  const others = hosts.filter((host) => host !== lane.pinned_to);
  const [host, setHost] = useState(
    lane.pinned_to === null ? (others.find((id) => id !== lane.owner) ?? '') : '',
  );
  const query = host === '' ? {} : { host_id: host };
  return (
    <Decide
      title={`Move lane ${lane.lane}`}
      facts={
        <Preview
          of={['lane', String(lane.lane), host]}
          ask={() => bodyOf(api.GET('/config/lanes/{lane}/owner', { params: { path, query } }))}
        />
      }
      consequence="The lane moves once its next owner has caught up. Contributions wait for a moment, and none is lost. The order holds until you take it back."
      fields={
        <label>
          To
          <select name="host" value={host} onChange={(event) => setHost(event.currentTarget.value)}>
            <option value="">wherever the rule places it</option>
            {others.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
      }
      reason={host === '' ? 'none' : 'optional'}
      forbidden={whyNot(useMe(), 'run')}
      send={(fields) =>
        host === ''
          ? answerOf(api.DELETE('/config/lanes/{lane}/owner', { params: { path } }))
          : answerOf(
              api.PUT('/config/lanes/{lane}/owner', {
                params: { path },
                body: { host_id: host, ...(reasonOf(fields) === '' ? {} : { reason: reasonOf(fields) }) },
              }),
            )
      }
      stale={stale}
      close={close}
    />
  );
}

const alone = 'There is no other host: nothing would move, and these lanes stop with this one.';

/** Drains a host, or lets it have lanes again. */
export function DrainHost(props: {
  readonly host: Host;
  /** There is no other. */
  readonly isAlone: boolean;
  readonly close: () => void;
}) {
  const { host, isAlone, close } = props;
  const params = { path: { host_id: host.id } };
  return (
    <Decide
      title={host.is_drained ? `Let ${host.id} have lanes again` : `Drain ${host.id}`}
      facts={
        host.is_drained ? null : (
          <Preview
            of={['host', host.id]}
            ask={() => bodyOf(api.GET('/config/hosts/{host_id}/drain', { params }))}
            {...(isAlone ? { nothing: alone } : {})}
          />
        )
      }
      consequence={
        host.is_drained
          ? 'The lanes that the rule places on this host move to it, one at a time.'
          : isAlone
            ? 'The order holds until you take it back: with another host, the lanes move there once it has caught up.'
            : 'Its lanes move to other hosts, one at a time, as soon as those have caught up. It keeps what no other host can have, until you take the order back.'
      }
      reason="none"
      forbidden={whyNot(useMe(), 'run')}
      send={() =>
        answerOf(
          host.is_drained
            ? api.DELETE('/config/hosts/{host_id}/drain', { params })
            : api.PUT('/config/hosts/{host_id}/drain', { params }),
        )
      }
      stale={stale}
      close={close}
    />
  );
}

/** Which lanes would get another owner. */
function Preview(props: {
  readonly of: readonly string[];
  readonly ask: () => Promise<readonly PlannedMove[]>;
  /** What is so where nothing moves. */
  readonly nothing?: string;
}): ReactNode {
  const { data, error } = useQuery({ queryKey: ['preview', ...props.of], queryFn: props.ask });
  if (error !== null) return <Trouble error={error} />;
  if (data === undefined) return <Loading what="what would move" />;
  if (data.length === 0) return <p>{props.nothing ?? 'No lane gets another owner.'}</p>;
  return (
    <ul>
      {data.map(({ lane, from, to, is_warm }) => (
        <li key={lane}>
          Lane {lane}: from <Name>{from}</Name> to{' '}
          {to === null ? 'none: no host can have it' : <Name>{to}</Name>}
          {to !== null && !is_warm && ', which has not caught up yet'}
        </li>
      ))}
    </ul>
  );
}
