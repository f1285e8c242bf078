import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, api, bodyOf } from '../../api/client.ts';
import { type Approval, templateQuery } from '../../api/rows.ts';
import { Decide, reasonOf } from '../../parts/decide.tsx';
import { Trouble } from '../../parts/states.tsx';
import { Json, Name, Time } from '../../parts/values.tsx';
import { useMe } from '../../session/session.tsx';
import { comparedWith, differencesOf, instanceOf, templateOf, templateText, whyNotApprove } from './words.ts';

interface DecisionProps {
  readonly approval: Approval;
  readonly close: () => void;
}

const stale = ['approvals', 'settlements', 'instance', 'instances'];

export function Approve({ approval, close }: DecisionProps) {
  const me = useMe();
  return (
    <Decide
      title="Approve this change"
      facts={<Facts approval={approval} />}
      consequence={`The service makes this change at once, as ${approval.proposed_by} proposed it. If what it is about has changed meanwhile, it may be refused.`}
      reason="none"
      forbidden={whyNotApprove(approval, me.username)}
      stale={stale}
      close={close}
      send={() =>
        answerOf<unknown>(
          api.POST('/config/approvals/{id}/approve', { params: { path: { id: approval.id } } }),
        )
      }
    />
  );
}

export function Reject({ approval, close }: DecisionProps) {
  const me = useMe();
  const isOwn = approval.proposed_by === me.username;
  return (
    <Decide
      title={isOwn ? 'Withdraw this change' : 'Reject this change'}
      facts={<Facts approval={approval} />}
      consequence="Nothing changes, and nobody can approve it any more. It can be proposed again."
      reason="optional"
      forbidden={null}
      stale={stale}
      close={close}
      send={(fields) => {
        const reason = reasonOf(fields);
        return answerOf<unknown>(
          api.POST('/config/approvals/{id}/reject', {
            params: { path: { id: approval.id } },
            body: { reason: reason === '' ? null : reason },
          }),
        );
      }}
    />
  );
}

function Facts({ approval }: { readonly approval: Approval }) {
  return (
    <>
      <dl className="facts">
        <dt>What</dt>
        <dd>
          {approval.name} (<span className="id">{`${approval.method} ${approval.path}`}</span>)
        </dd>
        <dt>Owner</dt>
        <dd>
          <Name>{approval.owner_id}</Name>
        </dd>
        <dt>Proposed by</dt>
        <dd>
          <Name>{approval.proposed_by}</Name>, <Time ms={approval.created_timestamp} />
        </dd>
        <MadeOf approval={approval} />
        <dt>Reason</dt>
        <dd>
          <Name>{approval.reason}</Name>
        </dd>
        <dt>Until</dt>
        <dd>
          <Time ms={approval.expires_timestamp} />
        </dd>
      </dl>
      <Differences approval={approval} />
    </>
  );
}

/** The template that it was proposed with, and what has become of that. */
function MadeOf({ approval: { body, template_version: proposed } }: { readonly approval: Approval }) {
  const template = templateOf(body);
  const { data, error } = useQuery({
    ...templateQuery(template?.owner ?? '', template?.id ?? ''),
    enabled: template !== null && proposed !== null,
  });
  if (template === null || proposed === null) return null;
  return (
    <>
      <dt>Template</dt>
      <dd>
        <Link to="/templates/$owner/$id" params={template}>
          <Name>{`${template.owner}/${template.id}`}</Name>
        </Link>
        , {templateText(proposed, data ?? null)}
        {error !== null && <Trouble error={error} />}
      </dd>
    </>
  );
}

/** Before and after, where the service says what is now; else what the request has. */
function Differences({ approval: { path, body, body_sha256 } }: { readonly approval: Approval }) {
  const about = instanceOf(path);
  const { data } = useQuery({
    queryKey: ['instance', about?.id],
    queryFn: () =>
      bodyOf(
        api.GET('/config/instances/{instance_id}', {
          params: { path: { instance_id: about?.id as string } },
        }),
      ),
    enabled: about !== null,
  });
  const now = data === undefined || about === null ? null : comparedWith(data, about.pot);
  const differences = differencesOf(path, body, now);
  if (differences === null)
    return body === null ? (
      <p className="quiet">
        {body_sha256 === null ? 'The request has no body.' : `Body: SHA-256 ${body_sha256}`}
      </p>
    ) : (
      <Json of={body} label="Body of the request" />
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it by keys.
    <section className="table" tabIndex={0} aria-label="Before and after">
      <table>
        <thead>
          <tr>
            <th scope="col">Of it</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ name, before, after }) => (
            <tr key={name}>
              <td>
                <Name>{name}</Name>
              </td>
              <td>{before === undefined ? <span className="none">–</span> : <Value of={before} />}</td>
              <td>
                <Value of={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value({ of }: { readonly of: unknown }) {
  return typeof of === 'string' ? <bdi>{of}</bdi> : <code>{JSON.stringify(of, null, 1)}</code>;
}
