import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Template, templateQuery } from '../api/rows.ts';
import { Act } from '../parts/act.tsx';
import { Heading, Loading, Trouble } from '../parts/states.tsx';
import { Name, State } from '../parts/values.tsx';
import { may } from '../session/rights.ts';
import { useMe } from '../session/session.tsx';
import { type Configuration, configurationOf, lostPots, overridesOf } from './templates/document.ts';
import { Editor } from './templates/editor.tsx';
import type { Fault } from './templates/faults.ts';
import { MakeJackpot } from './templates/make-jackpot.tsx';
import { Simulation } from './templates/simulation.tsx';
import { CopyTemplate, RetireTemplate, SaveTemplate } from './templates/template-decisions.tsx';

type Verb = 'make' | 'save' | 'copy' | 'retire';

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
  const [verb, setVerb] = useState<Verb | null>(null);
  const document = draft ?? base;
  const lost = lostPots(base, document);
  const { owner_id: owner, id, retired } = template;
  const kept = lost.length === 0 ? null : `The pots of a template stay: ${lost.join(', ')} is missing.`;
  const gone = retired ? 'The template is retired: nothing new is made from it.' : null;
  const close = () => setVerb(null);
  const undo = () => {
    setDraft(null);
    setFaults([]);
  };
  return (
    <>
      <Heading title={<Name>{template.name}</Name>}>
        {retired && <State>retired</State>}
        <Act needs="configure" forbidden={gone ?? kept} begin={() => setVerb('make')}>
          Make a jackpot
        </Act>
        <Act needs="configure" forbidden={kept} begin={() => setVerb('save')}>
          Save
        </Act>
        <Act needs="configure" begin={() => setVerb('copy')}>
          Make a copy
        </Act>
        <Act needs="configure" begin={() => setVerb('retire')}>
          {retired ? 'Take back' : 'Retire'}
        </Act>
        {draft !== null && (
          <button type="button" onClick={undo}>
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
        <dt>Version</dt>
        <dd>{template.version}</dd>
        <dt>Description</dt>
        <dd>
          <Name>{template.description}</Name>
        </dd>
      </dl>
      {draft !== null && (
        <p className="warning" role="status">
          The template is unchanged until you save it: what differs here goes to what you make of it.
        </p>
      )}
      <Simulation owner={owner} configuration={document} found={setFaults} />
      <Editor document={document} change={setDraft} faults={faults} isReadOnly={!may(me, 'configure')} />
      {verb === 'make' && (
        <MakeJackpot template={template} base={base} edited={document} found={setFaults} close={close} />
      )}
      {verb === 'save' && (
        <SaveTemplate
          template={template}
          edited={document}
          overrides={overridesOf(base, document)}
          found={setFaults}
          saved={undo}
          close={close}
        />
      )}
      {verb === 'copy' && <CopyTemplate template={template} close={close} />}
      {verb === 'retire' && <RetireTemplate template={template} close={close} />}
    </>
  );
}
