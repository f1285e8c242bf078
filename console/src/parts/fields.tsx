import type { InputHTMLAttributes } from 'react';

type FieldProps = InputHTMLAttributes<HTMLInputElement> & { readonly label: string; readonly name: string };

/** A field of a form, with its label. */
export function Field({ label, ...input }: FieldProps) {
  return (
    <label>
      {label}
      <input dir="auto" autoComplete="off" {...input} />
    </label>
  );
}

/** A password that the person has, or makes up. */
export function Password({ label, name, isNew = false, required = true }: PasswordProps) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required={required}
      {...(isNew ? { minLength: 8, maxLength: 256 } : {})}
    />
  );
}

interface PasswordProps {
  readonly label: string;
  readonly name: string;
  readonly isNew?: boolean;
  readonly required?: boolean;
}

/** Whose the passwords of a form are, for who keeps passwords; it is not shown. */
export function Whose({ name }: { readonly name: string }) {
  return <input type="text" autoComplete="username" value={name} readOnly hidden />;
}

/** A code of six digits. */
export function Code({ label, name }: { readonly label: string; readonly name: string }) {
  return (
    <Field
      label={label}
      name={name}
      required
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      maxLength={6}
    />
  );
}

/** Any number of a few values. */
export function Checks({
  label,
  name,
  options,
  chosen,
}: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly string[];
  readonly chosen: readonly string[];
}) {
  return (
    <fieldset className="checks">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option} className="check">
          <input type="checkbox" name={name} value={option} defaultChecked={chosen.includes(option)} />{' '}
          {option}
        </label>
      ))}
    </fieldset>
  );
}

/** What stands in a field of a form; undefined: nothing does. */
export function textOf(fields: FormData, name: string): string | undefined {
  const text = String(fields.get(name) ?? '').trim();
  return text === '' ? undefined : text;
}

/** Names that stand in a field, with commas or blanks between them. */
export function namesOf(fields: FormData, name: string): readonly string[] {
  return (textOf(fields, name) ?? '').split(/[\s,]+/).filter((each) => each !== '');
}

/** What the id of something may be, for a field's `pattern`. */
export const idPattern = String.raw`[A-Za-z0-9_\-]{1,64}`;

/** Whether both name the same, in whatever order. */
export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
}
