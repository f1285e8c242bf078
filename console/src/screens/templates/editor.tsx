import { useState } from 'react';
import { exactJson } from '../../api/exact-json.ts';
import { type Configuration, valueAt, withValue } from './document.ts';
import { type Fault, placedFaults } from './faults.ts';
import { meaningOf } from './fractions.ts';
import { MemberField } from './member-field.tsx';
import { newPot, newTriggers, ofType, type Section, sectionsOf } from './members.ts';

interface EditorProps {
  readonly document: Configuration;
  readonly change: (document: Configuration) => void;
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
}

/** One configuration, as a form and as JSON: what is changed on one side is on the other. */
export function Editor({ document, change, faults, isReadOnly }: EditorProps) {
  const sections = sectionsOf(document);
  const placed = placedFaults(faults, sections);
  return (
    <div className="editor">
      <form aria-label="Configuration" onSubmit={(event) => event.preventDefault()}>
        <Faults texts={placed.get('') ?? []} />
        <fieldset disabled={isReadOnly} className="plain">
          {sections.map((section) => (
            <Part key={section.path} {...{ section, document, change, placed }} />
          ))}
          <button
            type="button"
            onClick={() => {
              const pots = Array.isArray(document.pots) ? document.pots : [];
              change({ ...document, pots: [...pots, { ...newPot, id: `pot-${pots.length + 1}` }] });
            }}
          >
            Add a pot
          </button>
        </fieldset>
      </form>
      <Text document={document} change={change} isReadOnly={isReadOnly} />
    </div>
  );
}

interface PartProps extends Pick<EditorProps, 'document' | 'change'> {
  readonly section: Section;
  readonly placed: ReadonlyMap<string, readonly string[]>;
}

function Part({ section: { path, title, members }, document, change, placed }: PartProps) {
  const set = (at: string, value: unknown) =>
    change(at === 'jackpot_type' ? ofType(document, String(value)) : withValue(document, at, value));
  const types = valueAt(document, `${path}.pot_types`);
  const isPot = path.startsWith('pots[');
  return (
    <fieldset className="section">
      <legend>{title}</legend>
      {path !== '' && <Faults texts={placed.get(path) ?? []} />}
      {members.map((member) => (
        <MemberField
          key={member.path}
          member={member}
          value={valueAt(document, member.path)}
          meaning={meaningOf(document, member.path)}
          set={(value) => set(member.path, value)}
          faults={placed.get(member.path) ?? []}
        />
      ))}
      {isPot && (
        <div className="actions">
          <button
            type="button"
            onClick={() =>
              set(`${path}.pot_types`, [...(Array.isArray(types) ? types : []), newTriggers.HitRate])
            }
          >
            Add a way to win it
          </button>
          <button type="button" onClick={() => set(path, undefined)}>
            Remove this pot
          </button>
        </div>
      )}
    </fieldset>
  );
}

/** What it is as JSON; text that is none stays as it was typed, until the form is used. */
function Text({ document, change, isReadOnly }: Pick<EditorProps, 'document' | 'change' | 'isReadOnly'>) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: Configuration } | null>(null);
  const isTyping = typed !== null && typed.of === document;
  const parsed = isTyping ? parsedOf(typed.text) : null;
  return (
    <div>
      <label>
        JSON of the configuration
        <textarea
          className="json-text"
          spellCheck={false}
          dir="ltr"
          readOnly={isReadOnly}
          value={isTyping ? typed.text : JSON.stringify(document, null, 2)}
          onChange={({ currentTarget: { value: text } }) => {
            const next = parsedOf(text);
            setTyped({ text, of: next ?? document });
            if (next !== null) change(next);
          }}
          onBlur={() => parsed !== null && setTyped(null)}
        />
      </label>
      {isTyping && parsed === null && (
        <p className="warning" role="alert">
          This is no JSON object yet. The form has what was there before.
        </p>
      )}
    </div>
  );
}

function parsedOf(text: string): Configuration | null {
  try {
    const value: unknown = JSON.parse(exactJson(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Configuration)
      : null;
  } catch {
    return null;
  }
}

/** What the service says is wrong here. */
function Faults({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} className="warning" role="alert">
      {text}
    </p>
  ));
}
