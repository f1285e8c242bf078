import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { Act } from '../../parts/act.tsx';
import { Decide } from '../../parts/decide.tsx';
import { Field, textOf } from '../../parts/fields.tsx';
import { Heading } from '../../parts/states.tsx';
import { may, whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';
import type { Configuration } from './document.ts';
import { Editor } from './editor.tsx';
import { type Fault, refusedAt } from './faults.ts';
import { newConfiguration } from './members.ts';
import { NameAndId, type Names } from './names.tsx';
import { SelectOwner } from './select-owner.tsx';
import { Simulation } from './simulation.tsx';
import { Warnings } from './warnings.tsx';

/** A template that is not there yet. */
export default function NewTemplate() {
  const me = useMe();
  const [document, setDocument] = useState<Configuration>(newConfiguration);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [isCreating, setIsCreating] = useState(false);
  const [typed, setTyped] = useState<Typed>({ owner: undefined, name: '', id: null, description: '' });
  return (
    <>
      <Heading title="New template">
        <Act needs="configure" begin={() => setIsCreating(true)}>
          Create
        </Act>
      </Heading>
      <Simulation owner={null} configuration={document} found={setFaults} />
      <Editor document={document} change={setDocument} faults={faults} isReadOnly={!may(me, 'configure')} />
      {isCreating && (
        <Create
          document={document}
          typed={typed}
          change={setTyped}
          found={setFaults}
          close={() => setIsCreating(false)}
        />
      )}
    </>
  );
}

/** What stands in the dialog: it is there again after Cancel. */
interface Typed extends Names {
  readonly owner: string | undefined;
  readonly description: string;
}

interface CreateProps {
  readonly document: Configuration;
  readonly typed: Typed;
  readonly change: (typed: Typed) => void;
  readonly found: (faults: readonly Fault[]) => void;
  readonly close: () => void;
}

function Create({ document, typed, change, found, close }: CreateProps) {
  const navigate = useNavigate();
  const created = useRef<{ readonly owner: string; readonly id: string } | null>(null);
  return (
    <Decide
      title="Create this template"
      facts={null}
      consequence="It is there for making jackpots. None is made yet, and nothing runs."
      fields={
        <>
          <SelectOwner chosen={typed.owner} choose={(owner) => change({ ...typed, owner })} />
          <NameAndId names={typed} change={(names) => change({ ...typed, ...names })} />
          <Field
            label="Description (may be left out)"
            name="description"
            maxLength={2000}
            value={typed.description}
            onChange={(event) => change({ ...typed, description: event.currentTarget.value })}
          />
        </>
      }
      reason="none"
      forbidden={whyNot(useMe(), 'configure')}
      stale={['templates']}
      close={() => {
        close();
        if (created.current !== null) void navigate({ to: '/templates/$owner/$id', params: created.current });
      }}
      send={async (fields) => {
        const [owner, id] = [String(fields.get('owner')), String(fields.get('id'))];
        const body = {
          ...document,
          owner_id: owner,
          id,
          name: String(fields.get('name')),
          description: textOf(fields, 'description') ?? '',
        };
        // What the form and the JSON have is for the service to judge.
        const answer = answerOf(api.POST('/config/templates', { body: body as never }));
        await answer.then(() => found([]), refusedAt(document, found));
        const { response } = await answer;
        created.current = { owner, id };
        return { response };
      }}
      result={({ response }) => <Warnings of={response} />}
    />
  );
}
