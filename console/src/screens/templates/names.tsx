import { useId } from 'react';
import { Field, idPattern } from '../../parts/fields.tsx';
import { idOf } from './ids.ts';

/** What a new template is called. */
export interface Names {
  readonly name: string;
  /** null: nobody has typed one, so it follows the name. */
  readonly id: string | null;
}

/** The name of a new template, and its id. */
export function NameAndId({
  names: { name, id },
  change,
}: {
  readonly names: Names;
  readonly change: (names: Names) => void;
}) {
  const help = useId();
  return (
    <>
      <Field
        label="Name"
        name="name"
        required
        maxLength={256}
        value={name}
        onChange={(event) => change({ id, name: event.currentTarget.value })}
      />
      <Field
        label="Id"
        name="id"
        required
        pattern={idPattern}
        aria-describedby={help}
        title="Letters from a to z, digits, - and _; 64 at most."
        value={id ?? idOf(name)}
        onChange={(event) => change({ name, id: event.currentTarget.value })}
      />
      <p className="quiet help" id={help}>
        Letters from a to z, large or small, digits, - and _; 64 at most. Programs name the template by it,
        and it stays.
      </p>
    </>
  );
}
