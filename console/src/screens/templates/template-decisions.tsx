import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import type { Template } from '../../api/rows.ts';
import { Decide } from '../../parts/decide.tsx';
import { Field, textOf } from '../../parts/fields.tsx';
import { Json } from '../../parts/values.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';
import type { Configuration } from './document.ts';
import { type Fault, refusedAt } from './faults.ts';
import { NameAndId, type Names } from './names.tsx';
import { SelectOwner } from './select-owner.tsx';
import { Warnings } from './warnings.tsx';

interface DecisionProps {
  readonly template: Template;
  readonly close: () => void;
}

const stale = ['templates', 'template'];

/** What differs goes to the template; what was made of it stays. */
export function SaveTemplate({
  template,
  edited,
  overrides,
  found,
  saved,
  close,
}: DecisionProps & {
  readonly edited: Configuration;
  readonly overrides: Configuration;
  readonly found: (faults: readonly Fault[]) => void;
  readonly saved: () => void;
}) {
  return (
    <Decide
      title="Save the template"
      facts={Object.keys(overrides).length === 0 ? null : <Json of={overrides} label="What changes" />}
      consequence="What is made of the template from now on has this. Jackpots that were made of it stay as they are."
      fields={
        <>
          <Field label="Name" name="name" required maxLength={256} defaultValue={template.name} />
          <Field
            label="Description"
            name="description"
            maxLength={2000}
            defaultValue={template.description}
          />
        </>
      }
      reason="none"
      forbidden={whyNot(useMe(), 'configure')}
      stale={stale}
      close={close}
      send={async (fields) => {
        const body = {
          ...overrides,
          name: String(fields.get('name')),
          description: textOf(fields, 'description') ?? '',
        };
        const answer = answerOf<unknown>(
          api.PATCH('/config/templates/{owner_id}/{template_id}', {
            params: paramsOf(template),
            body: body as never,
          }),
        );
        await answer.then(saved, refusedAt(edited, found));
        return answer;
      }}
      result={({ response }) => <Warnings of={response} />}
    />
  );
}

export function CopyTemplate({ template, close }: DecisionProps) {
  const navigate = useNavigate();
  const [names, setNames] = useState<Names>({ name: `Copy of ${template.name}`.slice(0, 256), id: null });
  const copied = useRef<{ readonly owner: string; readonly id: string } | null>(null);
  return (
    <Decide
      title="Copy this template"
      facts={null}
      consequence="The same configuration is there under another id. Changes of the one are none of the other."
      fields={
        <>
          <SelectOwner chosen={template.owner_id} />
          <NameAndId names={names} change={setNames} />
        </>
      }
      reason="none"
      forbidden={whyNot(useMe(), 'configure')}
      stale={stale}
      close={() => {
        close();
        if (copied.current !== null) void navigate({ to: '/templates/$owner/$id', params: copied.current });
      }}
      send={async (fields) => {
        const [owner_id, id, name] = ['owner', 'id', 'name'].map((field) => String(fields.get(field)));
        const { path } = paramsOf(template);
        const body = { owner_id: owner_id ?? '', id: id ?? '', name: name ?? '' };
        const answer = await answerOf<unknown>(
          api.POST('/config/templates/{owner_id}/{template_id}/copies', { params: { path }, body }),
        );
        copied.current = { owner: body.owner_id, id: body.id };
        return answer;
      }}
      result={({ response }) => <Warnings of={response} />}
    />
  );
}

export function RetireTemplate({ template, close }: DecisionProps) {
  // As it was when it was asked: what is done changes the template.
  const [retired] = useState(!template.retired);
  return (
    <Decide
      title={retired ? 'Retire this template' : 'Take this template back'}
      facts={null}
      consequence={
        retired
          ? 'No jackpot and no model switch is made of it any more, also none that waits for approval. Jackpots that were made of it run on. It can be taken back.'
          : 'Jackpots can be made of it again.'
      }
      reason="none"
      forbidden={whyNot(useMe(), 'configure')}
      stale={stale}
      close={close}
      send={() =>
        answerOf<unknown>(
          api.PATCH('/config/templates/{owner_id}/{template_id}', {
            params: paramsOf(template),
            body: { retired },
          }),
        )
      }
    />
  );
}

/** Of the version that the person has seen. */
function paramsOf({ owner_id, id, version }: Template) {
  return { path: { owner_id, template_id: id }, header: { 'If-Match': `"${version}"` } };
}
