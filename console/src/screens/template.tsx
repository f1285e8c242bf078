import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Template, templateQuery } from '../api/rows.ts';
import { Act } from '../parts/act.tsx';
import { Heading, Loading, Trouble } from '../parts/states.tsx';
import { Name } from '../parts/values.tsx';
import { may } from '../session/rights.ts';
import { useMe } from '../session/session.tsx';
import { type Configuration, configurationOf, lostPots } from './templates/document.ts';
import { Editor } from './templates/editor.tsx';
import type { Fault } from './templates/faults.ts';
import { MakeJackpot } from './templates/make-jackpot.tsx';

/** One template: its configuration, and the jackpots that can be made of it, as it is or changed. */
export default function TemplateScreen() {
  const { owner, id } = useParams({ strict: false }) as { owner: string; id: string };
  const { data, error, refetch } = useQuery(templateQuery(owner, id));
  if (data === undefined)
    return (
      <>
        <Heading title="Template" />
        {error === null ? (
          <Loading what="the template" />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )}
      </>
    );
  return <Shown key={`${owner} ${id}`} template={data} />;
}

function Shown({ template }: { readonly template: Template }) {
  const me = useMe();
  const base = useMemo(() => configurationOf(template), [template]);
  const [draft, setDraft] = useState<Configuration | null>(null);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [isMaking, setIsMaking] = useState(false);
  const document = draft ?? base;
  const lost = lostPots(base, document);
  const { owner_id: owner, id } = template;
  return (
    <>
      <Heading title={<Name>{template.name}</Name>}>
        <Act
          needs="configure"
          forbidden={
            lost.length === 0
              ? null
              : `A jackpot keeps the pots of its template: ${lost.join(', ')} is missing.`
          }
          begin={() => setIsMaking(true)}
        >
          Make a jackpot
        </Act>
        {draft !== null && (
          <button
            type="button"
            onClick={() => {
              setDraft(null);
              setFaults([]);
            }}
          >
            Undo all changes
          </button>
        )}
        <Link to="/templates/compare" search={{ one: `${owner}/${id}` }}>
          Compare
        </Link>
      </Heading>
      <dl className="facts">
        <dt>Id</dt>
        <dd className="id">{id}</dd>
        <dt>Owner</dt>
        <dd>
          <Name>{owner}</Name>
        </dd>
        <dt>Description</dt>
        <dd>
          <Name>{template.description}</Name>
        </dd>
      </dl>
      {draft !== null && (
        <p className="warning" role="status">
          The template is unchanged: what differs here goes to what you make of it.
        </p>
      )}
      <Editor document={document} change={setDraft} faults={faults} isReadOnly={!may(me, 'configure')} />
      {isMaking && (
        <MakeJackpot
          template={template}
          base={base}
          edited={document}
          found={setFaults}
          close={() => setIsMaking(false)}
        />
      )}
    </>
  );
}
