import { useState } from 'preact/hooks';

/**
 * The text of a box whose value takes effect later. A new value replaces the text at once: an effect would replace what
 * was typed after it, too. An earlier value that returns does not bring back its text.
 */
export function useTypedText(value: string): [text: string, type: (text: string) => void] {
  const [typed, setTyped] = useState({ value, text: value });
  if (typed.value !== value) setTyped({ value, text: value });
  return [typed.text, (text) => setTyped({ value, text })];
}
