import { answerOf, api } from '../../api/client.ts';
import type { ServiceUser } from '../../api/rows.ts';
import { Decide } from '../../parts/decide.tsx';
import { Checks, Field, isSame, namesOf, Password, textOf, Whose } from '../../parts/fields.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';
import { SelectOperator } from './select-operator.tsx';

interface DecisionProps {
  readonly user: ServiceUser;
  readonly close: () => void;
}

type Right = 'cors' | 'reports' | 'webhooks';

const rights: readonly Right[] = ['cors', 'reports', 'webhooks'];
const stale = ['service-users', 'approvals'];

export function AddServiceUser({ close }: { readonly close: () => void }) {
  return (
    <Decide
      title="Add a service user"
      facts={null}
      consequence="Whoever has this password contributes for players of these brands, asks about jackpots, and opts players in and out."
      fields={
        <>
          <Field
            label="User name (of an operator’s users: name@operator)"
            name="username"
            required
            pattern="[A-Za-z0-9_.@+\-]{1,129}"
          />
          <Password label="Its password, 8 characters or more" name="password" isNew />
          <SelectOperator />
          <Scope brands={[]} rights={[]} />
        </>
      }
      reason="none"
      forbidden={whyNot(useMe(), 'secure')}
      stale={stale}
      close={close}
      send={(fields) => {
        const brands = [...namesOf(fields, 'brands')];
        return answerOf<unknown>(
          api.POST('/config/service-users', {
            body: {
              username: String(fields.get('username')),
              password: String(fields.get('password')),
              operator_id: String(fields.get('operator')),
              rights: fields.getAll('rights') as Right[],
              ...(brands.length === 0 ? {} : { brands }),
            },
          }),
        );
      }}
    />
  );
}

/** Sends what differs. A user of some brands cannot become one of all. */
export function ChangeServiceUser({ user, close }: DecisionProps) {
  return (
    <Decide
      title={`Change ${user.username}`}
      facts={null}
      consequence="Its tokens end, so its programs log in anew; its signing keys stay. A new password, a brand or a right more may need a second administrator."
      fields={
        <>
          <Whose name={user.username} />
          <Scope brands={user.brands ?? []} rights={user.rights} />
          <Password label="A new password (may be left out)" name="password" isNew required={false} />
        </>
      }
      reason="none"
      forbidden={whyNot(useMe(), 'secure')}
      stale={stale}
      close={close}
      send={(fields) => {
        const given = { brands: namesOf(fields, 'brands'), rights: fields.getAll('rights') as Right[] };
        const password = String(fields.get('password'));
        const body = {
          ...(isSame(given.brands, user.brands ?? []) ? {} : { brands: [...given.brands] }),
          ...(isSame(given.rights, user.rights) ? {} : { rights: given.rights }),
          ...(password === '' ? {} : { password }),
        };
        return answerOf<unknown>(
          api.PATCH('/config/service-users/{username}', { params: paramsOf(user), body }),
        );
      }}
    />
  );
}

export function NewKey({ user, close }: DecisionProps) {
  return (
    <Decide
      title={`New signing key of ${user.username}`}
      facts={null}
      consequence={`Requests signed with it are the user’s. ${user.key_ids.length >= 2 ? `The oldest key, ${user.key_ids[0]}, ends: what is signed with it is refused from then on.` : 'A user has two keys at a time.'}`}
      fields={
        <>
          <Whose name={user.username} />
          <Field
            label="Its secret, 16 characters or more (left out: one is made, and shown this once; under a four-eyes rule bring one)"
            name="secret"
            type="password"
            minLength={16}
            maxLength={1024}
          />
        </>
      }
      reason="none"
      forbidden={whyNot(useMe(), 'secure')}
      stale={stale}
      close={close}
      send={(fields) => {
        const secret = textOf(fields, 'secret');
        return answerOf(
          api.POST('/config/service-users/{username}/keys', {
            params: paramsOf(user),
            body: secret === undefined ? {} : { secret },
          }),
        );
      }}
      result={({ body }) => {
        const { key_id, secret } = body as { readonly key_id: string; readonly secret?: string };
        return (
          <dl className="facts">
            <dt>Key</dt>
            <dd className="id">{key_id}</dd>
            {secret !== undefined && (
              <>
                <dt>Secret, shown this once</dt>
                <dd className="id">{secret}</dd>
              </>
            )}
          </dl>
        );
      }}
    />
  );
}

const consequences = {
  Remove: 'The user and its keys are gone for good, and its tokens end. Its programs are refused at once.',
  Disable: 'Its tokens end, and its programs are refused at once, until somebody enables it again.',
  Enable: 'Its programs can log in again, with the password and the rights from before.',
};

/** Disables, enables or removes it. */
export function SimpleDecision({ user, removes, close }: DecisionProps & { readonly removes: boolean }) {
  const { username, enabled } = user;
  const verb = removes ? 'Remove' : enabled ? 'Disable' : 'Enable';
  return (
    <Decide
      title={`${verb} ${username}`}
      facts={null}
      consequence={consequences[verb]}
      danger={
        removes || enabled
          ? 'Contributions that its programs send from then on are lost to the jackpots.'
          : null
      }
      reason="none"
      forbidden={whyNot(useMe(), 'secure')}
      stale={stale}
      close={close}
      send={() =>
        answerOf<unknown>(
          removes
            ? api.DELETE('/config/service-users/{username}', { params: paramsOf(user) })
            : api.PATCH('/config/service-users/{username}', {
                params: paramsOf(user),
                body: { enabled: !enabled },
              }),
        )
      }
    />
  );
}

function paramsOf({ username }: ServiceUser) {
  return { path: { username } };
}

function Scope(props: { readonly brands: readonly string[]; readonly rights: readonly string[] }) {
  return (
    <>
      <Field
        label="Brands (left out: all of the operator’s, those to come included)"
        name="brands"
        defaultValue={props.brands.join(', ')}
      />
      <Checks label="Further rights" name="rights" options={rights} chosen={props.rights} />
    </>
  );
}
