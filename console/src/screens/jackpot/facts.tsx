import { Link } from '@tanstack/react-router';
import type { Instance } from '../../api/rows.ts';
import { JackpotLink, Money, Name, Time } from '../../parts/values.tsx';

/** What the jackpot is, as it is now. */
export function Facts({ instance, isThen }: { readonly instance: Instance; readonly isThen: boolean }) {
  const { currency, house_pot: house, status } = instance;
  const hasStarted = status !== 'Pending' && status !== 'Cancelled';
  const change = instance.switch;
  return (
    <section className="card" aria-label="Facts">
      {isThen && (
        <p className="quiet">
          Status and figures up here are as of now; those of the earlier time are below.
        </p>
      )}
      <dl className="facts">
        <dt>Id</dt>
        <dd className="id">{instance.id}</dd>
        {instance.description !== '' && (
          <>
            <dt>Description</dt>
            <dd>
              <Name>{instance.description}</Name>
            </dd>
          </>
        )}
        <dt>Owner</dt>
        <dd>
          <Name>{instance.owner_id}</Name>
        </dd>
        <dt>Template</dt>
        <dd>
          <Link
            to="/templates/$owner/$id"
            params={{ owner: instance.template_owner_id, id: instance.template_id }}
          >
            <Name>{instance.template_id}</Name>
          </Link>{' '}
          of <Name>{instance.template_owner_id}</Name>
        </dd>
        <dt>Version</dt>
        <dd>{instance.version} of this jackpot</dd>
        {(hasStarted || (status === 'Pending' && instance.timestamp_start > Date.now())) && (
          <>
            <dt>{hasStarted ? 'Started' : 'Starts'}</dt>
            <dd>
              <Time ms={instance.timestamp_start} />
            </dd>
          </>
        )}
        {instance.timestamp_end !== null && (
          <>
            <dt>Ends</dt>
            <dd>
              <Time ms={instance.timestamp_end} />
            </dd>
          </>
        )}
        <dt>Contributions</dt>
        <dd>{instance.total_contributions.toLocaleString()}</dd>
        <dt>House pot</dt>
        <dd>
          <Money amount={house.current_value} currency={currency} />
        </dd>
        <dt>Seed deficit</dt>
        <dd>
          <Money amount={house.accumulated_seed_deficit} currency={currency} />
        </dd>
        {instance.links.length > 0 && (
          <>
            <dt>Links to</dt>
            <dd>
              {instance.links.map((each) => (
                <span key={each}>
                  <JackpotLink id={each} />{' '}
                </span>
              ))}
            </dd>
          </>
        )}
        {instance.switched_to !== null && (
          <>
            <dt>Switched to</dt>
            <dd>
              <JackpotLink id={instance.switched_to} />
            </dd>
          </>
        )}
      </dl>
      {change !== null && (
        <p className="warning" role="status">
          A switch to <JackpotLink id={change.target} /> is {change.state}: {change.copied.toLocaleString()}{' '}
          of {change.total.toLocaleString()} players{change.message === null ? '' : `. ${change.message}`}
        </p>
      )}
    </section>
  );
}
