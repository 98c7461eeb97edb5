import { useTypedText } from '../hooks/use-typed-text.ts';

interface TypedFilterProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  /** An event id fits. */
  isId?: boolean;
}

/** A filter with a value that the service checks. It takes effect when its field is left, or at Enter. */
export function TypedFilter({ label, value, onChange, placeholder, isId = false }: TypedFilterProps) {
  const [text, setText] = useTypedText(value);
  const apply = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <label class={isId ? 'field short of-id' : 'field short'}>
      <span class="label">{label}</span>
      <input
        type="text"
        value={text}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply();
        }}
        onBlur={apply}
      />
    </label>
  );
}
