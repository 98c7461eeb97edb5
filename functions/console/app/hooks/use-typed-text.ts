import { useState } from 'preact/hooks';

/**
 * The text of a box whose value takes effect later. A new value replaces the text at once: an effect would replace what
 * was typed after it, too.
 */
export function useTypedText(value: string): [text: string, type: (text: string) => void] {
  const [typed, setTyped] = useState({ value, text: value });
  return [typed.value === value ? typed.text : value, (text) => setTyped({ value, text })];
}
