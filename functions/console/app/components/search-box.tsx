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
  // The back button changes the address too.
  useEffect(() => {
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => {
      latest.current(text);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return (
    <label class="field">
      <span class="label">Search</span>
      <input
        type="search"
        value={text}
        placeholder={placeholder}
        spellcheck={false}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
        }}
      />
    </label>
  );
}
