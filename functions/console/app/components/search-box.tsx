import { useEffect, useRef, useState } from 'preact/hooks';

interface SearchBoxProps {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
}

/** Time without a key after which the search begins. */
const PAUSE_MS = 250;

/** The search of a list. The key `/` goes to it. */
export function SearchBox({ value, onChange, placeholder }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  /** The search that begins after a pause. */
  const pending = useRef<ReturnType<typeof setTimeout>>();
  // The back button changes the address too. Text that is being typed stays.
  useEffect(() => {
    if (pending.current === undefined) setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(pending.current), []);
  const type = (typed: string): void => {
    setText(typed);
    clearTimeout(pending.current);
    pending.current = setTimeout(() => {
      pending.current = undefined;
      latest.current(typed);
    }, PAUSE_MS);
  };
  return (
    <label class="field">
      <span class="label">Search</span>
      <input
        type="search"
        value={text}
        placeholder={placeholder}
        spellcheck={false}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  );
}
