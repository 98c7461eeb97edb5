import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Choice } from './found-choices.ts';

interface ActiveOption {
  index: number;
  setIndex: (index: number) => void;
  /** Handles the keys that move; whether it was one of them. */
  move: (event: KeyboardEvent) => boolean;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/**
 * The option of a listbox that the keyboard has reached, while the focus stays in the text box. It begins anew with
 * each text. It stays when further options come above it.
 */
export function useActiveOption(options: readonly Choice[], text: string): ActiveOption {
  // An effect would begin anew after the next key of a fast typist.
  const [reached, setReached] = useState<{ text: string; id: string | undefined }>({ text, id: undefined });
  const setIndex = (next: number): void => setReached({ text, id: options[next]?.id });
  const last = Math.max(0, options.length - 1);
  const active =
    reached.text === text
      ? Math.max(
          0,
          options.findIndex(({ id }) => id === reached.id),
        )
      : 0;
  const move = (event: KeyboardEvent): boolean => {
    const step = STEPS[event.key];
    if (step === undefined) return false;
    event.preventDefault();
    const next = active + step;
    // Single steps go round.
    if (Math.abs(step) === 1) setIndex(next < 0 ? last : next > last ? 0 : next);
    else setIndex(Math.min(last, Math.max(0, next)));
    return true;
  };
  return { index: active, setIndex, move };
}

/** A reference to an option that scrolls into view when the keyboard reaches it. */
export function useShownOption(isActive: boolean) {
  const option = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return option;
}
