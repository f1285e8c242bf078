import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { Decide } from '../parts/decide.tsx';
import { Password, Whose } from '../parts/fields.tsx';
import { Heading } from '../parts/states.tsx';
import { Name, Time } from '../parts/values.tsx';
import { type Action, may, rightsInWords, whyNot } from '../session/rights.ts';
import { forgetSession, useMe } from '../session/session.tsx';
import { EnrolFactor } from './account/factor.tsx';

type Change = 'password' | 'factor' | 'sessions';

/** Who the person is, what they may do, and what proves that it is them. */
export default function Account() {
  const me = useMe();
  const [change, setChange] = useState<Change | null>(null);
  const close = () => setChange(null);
  const { is_enrolled: isEnrolled, valid_until: validUntil } = me.second_factor;
  return (
    <>
      <Heading title="Your account" />
      <section className="card" aria-label="Who you are">
        <dl className="facts">
          <dt>User name</dt>
          <dd>
            <Name>{me.username}</Name>
          </dd>
          <dt>Roles</dt>
          <dd>{me.roles.join(', ')}</dd>
          <dt>Owners</dt>
          <dd>
            <Name>{me.owners.includes('*') ? 'the whole system' : me.owners.join(', ')}</Name>
          </dd>
          <dt>This session ends</dt>
          <dd>
            <Time ms={me.session_expires} /> at the latest, and 15 minutes after its page was closed
          </dd>
          <dt>Second factor</dt>
          <dd>
            {isEnrolled ? 'An authenticator app' : 'None'}
            {validUntil !== null && (
              <>
                ; its last code counts until <Time ms={validUntil} />
              </>
            )}
          </dd>
        </dl>
        <div className="actions">
          <button type="button" onClick={() => setChange('password')}>
            Change your password
          </button>
          <button type="button" onClick={() => setChange('factor')}>
            {isEnrolled ? 'Replace your second factor' : 'Enrol a second factor'}
          </button>
          <button type="button" onClick={() => setChange('sessions')}>
            End all your sessions
          </button>
        </div>
      </section>
      <h2>What you may do</h2>
      <p className="quiet">For everything of your owners. Another administrator gives and takes roles.</p>
      <ul className="rights">
        {(Object.keys(rightsInWords) as Action[]).map((action) => (
          <li key={action}>
            {may(me, action) ? <strong className="good">Yes</strong> : <strong>No</strong>}{' '}
            {rightsInWords[action]}
            {!may(me, action) && <span className="quiet"> – {whyNot(me, action)}</span>}
          </li>
        ))}
      </ul>
      {change === 'password' && <ChangePassword close={close} />}
      {change === 'factor' && <EnrolFactor close={close} />}
      {change === 'sessions' && <EndSessions close={close} />}
    </>
  );
}

function ChangePassword({ close }: { readonly close: () => void }) {
  return (
    <Decide
      title="Change your password"
      facts={null}
      consequence="From now on the new password counts. Every other session of yours ends; this one stays."
      fields={
        <>
          <Whose name={useMe().username} />
          <Password label="Your password now" name="current" />
          <Password label="The new password, 8 characters or more" name="new" isNew />
          <Password label="The new password again" name="again" isNew />
        </>
      }
      reason="none"
      forbidden={null}
      stale={['me']}
      close={close}
      send={async (fields) => {
        const [current, next, again] = ['current', 'new', 'again'].map((name) => String(fields.get(name)));
        if (next !== again) throw new Error('The new password is not the same both times.');
        const body = { current_password: current ?? '', new_password: next ?? '' };
        return answerOf(api.PUT('/auth/admin/password', { body }));
      }}
    />
  );
}

function EndSessions({ close }: { readonly close: () => void }) {
  const client = useQueryClient();
  return (
    <Decide
      title="End all your sessions"
      facts={null}
      consequence="Whoever is logged in with your account, here or elsewhere, has to log in anew. So do you."
      reason="none"
      forbidden={null}
      stale={[]}
      close={close}
      send={async () => {
        const answer = await answerOf(api.DELETE('/auth/admin/sessions'));
        forgetSession(client);
        return answer;
      }}
    />
  );
}
