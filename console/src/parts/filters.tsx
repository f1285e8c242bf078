import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The filters of a screen, which are its address: a link shows others the same. */
export function useFilters(): readonly [
  Readonly<Record<string, string | undefined>>,
  (changes: Readonly<Record<string, string | undefined>>) => void,
] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const change = (changes: Readonly<Record<string, string | undefined>>) => {
    const next = Object.entries({ ...search, ...changes }).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    void navigate({ to: '.', search: Object.fromEntries(next), replace: true });
  };
  return [search, change];
}

/** Fields that count when the person presses Enter, or leaves for the button. */
export function Filters({
  fields,
  children,
}: {
  readonly fields: readonly { readonly name: string; readonly label: string; readonly type?: string }[];
  readonly children?: ReactNode;
}) {
  const [filters, change] = useFilters();
  return (
    <form
      className="filters"
      key={JSON.stringify(fields.map(({ name }) => filters[name]))}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        change(Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()])));
      }}
    >
      {children}
      {fields.map(({ name, label, type = 'text' }) => (
        <label key={name}>
          {label}
          <input name={name} type={type} defaultValue={filters[name] ?? ''} dir="auto" />
        </label>
      ))}
      {fields.length > 0 && <button type="submit">Show</button>}
    </form>
  );
}

/** One of a few values, as buttons. */
export function Choice({
  label,
  name,
  options,
  fallback,
}: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly fallback: string;
}) {
  const [filters, change] = useFilters();
  const chosen = filters[name] ?? fallback;
  return (
    <fieldset className="choice">
      <legend>{label}</legend>
      {options.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => change({ [name]: value === fallback ? undefined : value })}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
