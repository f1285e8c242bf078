interface Option {
  readonly value: string;
  readonly label: string;
}

interface Properties {
  readonly label: string;
  readonly value: string;
  readonly groups: readonly { readonly label?: string; readonly options: readonly Option[] }[];
  readonly onChange: (value: string) => void;
}

/** A labelled native select: the platform's own keyboard, screen reader and phone behaviour. */
export function Choice({ label, value, groups, onChange }: Properties) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {groups.map((group) =>
          group.label === undefined ? (
            group.options.map(optionOf)
          ) : (
            <optgroup key={group.label} label={group.label}>
              {group.options.map(optionOf)}
            </optgroup>
          ),
        )}
      </select>
    </label>
  );
}

function optionOf(option: Option) {
  return (
    <option key={option.value} value={option.value}>
      {option.label}
    </option>
  );
}
