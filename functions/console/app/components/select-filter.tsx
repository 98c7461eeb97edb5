import { useId } from 'preact/hooks';

interface SelectFilterProps {
  label: string;
  /** Empty: all, or none. */
  value: string;
  onChange: (value: string) => void;
  /** The text of the empty choice. Without it, a value is always chosen. */
  all?: string;
  /** Values with their texts; a value alone is its own text. */
  values: readonly (string | readonly [value: string, text: string])[];
  hint?: string;
}

/** A choice of one value, such as the filter of a list. */
export function SelectFilter({ label, value, onChange, all, values, hint }: SelectFilterProps) {
  const id = useId();
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  return (
    <div class="field short">
      <label class="label" htmlFor={id}>
        {label}
      </label>
      <select id={id} value={value} {...described} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {all !== undefined && <option value="">{all}</option>}
        {values.map((each) => {
          const [one, text] = typeof each === 'string' ? [each, each] : each;
          return (
            <option key={one} value={one}>
              {text}
            </option>
          );
        })}
      </select>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
