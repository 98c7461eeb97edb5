interface Choice {
  id: string;
  name: string;
}

interface EntrySelectProps {
  label: string;
  value: string;
  onChange: (id: string) => void;
  groups: readonly (readonly [name: string, choices: readonly Choice[]])[];
}

/** A choice among sources, workflows and webhooks. */
export const EntrySelect = ({ label, value, onChange, groups }: EntrySelectProps) => (
  <label class="field">
    <span class="label">{label}</span>
    <select
      value={value}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    >
      <option value="">Choose…</option>
      {groups
        .filter(([, choices]) => choices.length > 0)
        .map(([name, choices]) => (
          <optgroup key={name} label={name}>
            {choices.map((choice) => (
              <option key={choice.id} value={choice.id}>
                {choice.name}
              </option>
            ))}
          </optgroup>
        ))}
    </select>
  </label>
);
