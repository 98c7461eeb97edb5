interface SelectFilterProps {
  label: string;
  /** Empty: all. */
  value: string;
  onChange: (value: string) => void;
  /** The text of the choice of all. Without it, a value is always chosen. */
  all?: string;
  values: readonly string[];
}

/** A choice of one value, such as the filter of a list. */
export const SelectFilter = ({ label, value, onChange, all, values }: SelectFilterProps) => (
  <label class="field short">
    <span class="label">{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {all !== undefined && <option value="">{all}</option>}
      {values.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  </label>
);
