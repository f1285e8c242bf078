import { useId } from 'react';
import { exactJson } from '../../api/exact-json.ts';
import type { Configuration } from './document.ts';
import type { Meaning } from './fractions.ts';
import { type Member, newTriggers } from './members.ts';

interface MemberFieldProps {
  readonly member: Member;
  readonly value: unknown;
  /** What a fraction comes to; null: it is none. */
  readonly meaning: Meaning | null;
  readonly set: (value: unknown) => void;
  readonly faults: readonly string[];
}

/** One member of a configuration, with what is wrong with it. */
export function MemberField(props: MemberFieldProps) {
  const { member, meaning, faults } = props;
  const id = useId();
  const described = faults.length === 0 ? undefined : `${id}-faults`;
  return (
    <div className="member">
      <label htmlFor={id}>{member.label}</label>
      <Input {...props} id={id} described={described} />
      <p className="quiet help" id={`${id}-help`}>
        {member.help}
        {meaning !== null && <strong> {meaning.text}</strong>}
      </p>
      {meaning?.warning !== undefined && (
        <p className="warning" role="status">
          {meaning.warning}
        </p>
      )}
      {faults.length > 0 && (
        <p className="warning" role="alert" id={described}>
          {faults.join('. ')}
        </p>
      )}
    </div>
  );
}

type InputProps = MemberFieldProps & { readonly id: string; readonly described: string | undefined };

function Input(props: InputProps) {
  const { member, value, set, id, described } = props;
  const { kind, options = [] } = member;
  const common = {
    id,
    name: member.path,
    'aria-invalid': described !== undefined,
    'aria-describedby': `${id}-help ${described ?? ''}`.trim(),
  };
  switch (kind) {
    case 'flag':
      return (
        <input
          {...common}
          type="checkbox"
          checked={value === true || (value === undefined && isOnByDefault(member.path))}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <select
          {...common}
          value={String(value ?? options[0])}
          onChange={(event) => set(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      );
    case 'part':
      return <Part {...props} common={common} />;
    case 'trigger':
      return (
        <span className="actions">
          <select
            {...common}
            value={Object.keys(value ?? {})[0]}
            onChange={(event) => set(newTriggers[event.currentTarget.value])}
          >
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
          <button type="button" onClick={() => set(undefined)}>
            Remove
          </button>
        </span>
      );
    case 'json':
      return (
        <textarea
          {...common}
          key={JSON.stringify(value)}
          className="json-member"
          spellCheck={false}
          dir="ltr"
          defaultValue={value === undefined ? '' : JSON.stringify(value)}
          onBlur={({ currentTarget: field }) => {
            const read = jsonOf(field.value);
            field.setCustomValidity(read === null ? 'This is no JSON.' : '');
            if (read === null) field.reportValidity();
            else if (JSON.stringify(read.value) !== JSON.stringify(value)) set(read.value);
          }}
        />
      );
    default:
      return (
        <input
          {...common}
          dir="auto"
          inputMode={kind === 'text' ? 'text' : kind === 'count' ? 'numeric' : 'decimal'}
          value={String(value ?? '')}
          onChange={(event) => set(typedOf(event.currentTarget.value, kind === 'count'))}
        />
      );
  }
}

/** `{"Percentage": 0.1}`: a kind, and its value. */
function Part({ member, value, set, common }: InputProps & { readonly common: object }) {
  const { options = [] } = member;
  const [kind = options[0] as string] = Object.keys(value ?? {});
  const amount = (value as Configuration | undefined)?.[kind];
  return (
    <span className="actions">
      <select
        aria-label={`${member.label}: kind`}
        value={kind}
        onChange={(event) => set({ [event.currentTarget.value]: amount ?? '0' })}
      >
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      <input
        {...common}
        inputMode="decimal"
        value={String(amount ?? '')}
        onChange={(event) => set({ [kind]: typedOf(event.currentTarget.value, false) ?? '' })}
      />
    </span>
  );
}

/** Members whose default is true (docs/rules/configuration.md). */
function isOnByDefault(path: string): boolean {
  return /\b(enabled|is_progressive|qualified_contribution_only)$/.test(path);
}

function typedOf(text: string, isCount: boolean): unknown {
  if (text === '') return undefined;
  return isCount && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** null: the text is no JSON. Nothing is no value. */
function jsonOf(text: string): { readonly value: unknown } | null {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(exactJson(text)) };
  } catch {
    return null;
  }
}
