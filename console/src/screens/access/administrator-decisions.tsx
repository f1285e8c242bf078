import { answerOf, api } from '../../api/client.ts';
import type { Administrator } from '../../api/rows.ts';
import { Decide } from '../../parts/decide.tsx';
import { Checks, Field, isSame, namesOf, Password, Whose } from '../../parts/fields.tsx';
import { Name } from '../../parts/values.tsx';
import { actionsOfRole, whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';

interface DecisionProps {
  readonly user: Administrator;
  readonly close: () => void;
}

type Role = Administrator['roles'][number];

const roles = Object.keys(actionsOfRole);
const stale = ['users', 'approvals'];

export function AddAdministrator({ close }: { readonly close: () => void }) {
  const me = useMe();
  return (
    <Decide
      title="Add an administrator"
      facts={null}
      consequence="With this password the person can log in at once, and do what these roles allow, for these owners. You can give the roles and owners that you have."
      fields={
        <>
          <Field
            label="User name (of an operator’s administrators: name@operator)"
            name="username"
            required
            pattern="[A-Za-z0-9_.@+\-]{1,129}"
          />
          <Password label="Its first password, 8 characters or more" name="password" isNew />
          <Rights roles={['viewer']} owners={me.owners} />
        </>
      }
      reason="none"
      forbidden={whyNot(me, 'secure')}
      stale={stale}
      close={close}
      send={(fields) =>
        answerOf<unknown>(
          api.POST('/config/users', {
            body: {
              username: String(fields.get('username')),
              password: String(fields.get('password')),
              roles: fields.getAll('roles') as Role[],
              owners: [...namesOf(fields, 'owners')],
            },
          }),
        )
      }
    />
  );
}

/** Sends what differs: what gives nothing more needs no second administrator. */
export function ChangeAdministrator({ user, close }: DecisionProps) {
  return (
    <Decide
      title={`Change ${user.username}`}
      facts={null}
      consequence="The account’s tokens end, so the person logs in anew, with these rights. A new password, a role or an owner more may need a second administrator."
      fields={
        <>
          <Whose name={user.username} />
          <Rights roles={user.roles} owners={user.owners} />
          <Password label="A new password (may be left out)" name="password" isNew required={false} />
        </>
      }
      reason="none"
      forbidden={whyNot(useMe(), 'secure')}
      stale={stale}
      close={close}
      send={(fields) => {
        const given = { roles: fields.getAll('roles') as Role[], owners: namesOf(fields, 'owners') };
        const password = String(fields.get('password'));
        const body = {
          ...(isSame(given.roles, user.roles) ? {} : { roles: given.roles }),
          ...(isSame(given.owners, user.owners) ? {} : { owners: [...given.owners] }),
          ...(password === '' ? {} : { password }),
        };
        return answerOf<unknown>(api.PATCH('/config/users/{username}', { params: paramsOf(user), body }));
      }}
    />
  );
}

export function EnableAdministrator({ user, close }: DecisionProps) {
  const enabled = !user.enabled;
  return (
    <Decide
      title={enabled ? `Enable ${user.username}` : `Disable ${user.username}`}
      facts={<Facts user={user} />}
      consequence={
        enabled
          ? 'The person can log in again, with the password and the rights from before.'
          : 'The person is logged out everywhere at once and cannot log in, until somebody enables the account again.'
      }
      reason="none"
      forbidden={whyNot(useMe(), 'secure')}
      stale={stale}
      close={close}
      send={() =>
        answerOf<unknown>(
          api.PATCH('/config/users/{username}', { params: paramsOf(user), body: { enabled } }),
        )
      }
    />
  );
}

export function ResetFactor({ user, close }: DecisionProps) {
  return (
    <Decide
      title={`Reset the second factor of ${user.username}`}
      facts={<Facts user={user} />}
      consequence="The account has no second factor afterwards, and its person is logged out. They can enrol another one with their password."
      danger="Whoever asked you for this: make sure that it is the person. With the password alone, money can be moved then."
      reason="none"
      forbidden={whyNot(useMe(), 'secure')}
      stale={stale}
      close={close}
      send={() =>
        answerOf<unknown>(api.DELETE('/config/users/{username}/second-factor', { params: paramsOf(user) }))
      }
    />
  );
}

function paramsOf({ username }: Administrator) {
  return { path: { username } };
}

function Facts({ user }: { readonly user: Administrator }) {
  return (
    <dl className="facts">
      <dt>Roles</dt>
      <dd>{user.roles.join(', ')}</dd>
      <dt>Owners</dt>
      <dd>
        <Name>{user.owners.join(', ')}</Name>
      </dd>
    </dl>
  );
}

function Rights(props: { readonly roles: readonly string[]; readonly owners: readonly string[] }) {
  return (
    <>
      <Checks label="Roles" name="roles" options={roles} chosen={props.roles} />
      <Field
        label="Owners: operators, brands (operator:brand), or * for the whole system"
        name="owners"
        required
        defaultValue={props.owners.join(', ')}
      />
    </>
  );
}
