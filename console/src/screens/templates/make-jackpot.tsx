import { answerOf, api } from '../../api/client.ts';
import type { Template } from '../../api/rows.ts';
import { Decide } from '../../parts/decide.tsx';
import { Field, textOf } from '../../parts/fields.tsx';
import { JackpotLink, Json, Name } from '../../parts/values.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';
import { type Configuration, overridesOf } from './document.ts';
import { type Fault, refusedAt } from './faults.ts';
import { SelectOwner } from './select-owner.tsx';
import { Warnings } from './warnings.tsx';

interface MakeJackpotProps {
  readonly template: Template;
  readonly base: Configuration;
  readonly edited: Configuration;
  /** Takes what is wrong with the configuration. */
  readonly found: (faults: readonly Fault[]) => void;
  readonly close: () => void;
}

/** A jackpot of the template, with what was changed on top. */
export function MakeJackpot({ template, base, edited, found, close }: MakeJackpotProps) {
  const overrides = overridesOf(base, edited);
  const isChanged = Object.keys(overrides).length > 0;
  return (
    <Decide
      title="Make this jackpot"
      facts={
        <>
          <p>
            Of <Name>{template.name}</Name>, {isChanged ? 'with these overrides:' : 'as it is.'}
          </p>
          {isChanged && <Json of={overrides} label="Overrides" />}
        </>
      }
      consequence="The jackpot is Pending: it takes no contributions and has no money before it is activated. With a time to start it activates itself, which may need a second administrator now."
      fields={
        <>
          <Field label="Name" name="name" required maxLength={256} />
          <Field label="Description (may be left out)" name="description" maxLength={2000} />
          <SelectOwner chosen={template.owner_id} />
          <Field label="Game code (may be left out)" name="game_code" maxLength={64} />
          <Field label="Starts by itself (may be left out)" name="start" type="datetime-local" />
          <Field label="Ends by itself (may be left out)" name="end" type="datetime-local" />
        </>
      }
      reason="none"
      forbidden={whyNot(useMe(), 'configure')}
      stale={['instances', 'approvals']}
      close={close}
      send={async (fields) => {
        const [start, end] = [textOf(fields, 'start'), textOf(fields, 'end')];
        const gameCode = textOf(fields, 'game_code');
        const description = textOf(fields, 'description');
        const body = {
          template_owner_id: template.owner_id,
          template_id: template.id,
          owner_id: String(fields.get('owner')),
          name: String(fields.get('name')),
          overrides,
          ...(description === undefined ? {} : { description }),
          ...(gameCode === undefined ? {} : { game_code: gameCode }),
          ...(start === undefined ? {} : { timestamp_start: new Date(start).getTime() }),
          ...(end === undefined ? {} : { timestamp_end: new Date(end).getTime() }),
        };
        const answer = answerOf(api.POST('/config/instances', { body }));
        await answer.then(() => found([]), refusedAt(edited, found));
        return answer;
      }}
      result={({ body, response }) => {
        const { id, name } = body as { readonly id: string; readonly name: string };
        return (
          <>
            <p>
              <JackpotLink id={id} name={name} /> is there, Pending.
            </p>
            <Warnings of={response} />
          </>
        );
      }}
    />
  );
}
