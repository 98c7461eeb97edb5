import type { ComponentChildren } from 'preact';
import type { Notice } from '../notices.tsx';
import { useAction } from './use-action.ts';

interface ActionButtonProps {
  /** Resolves with the result to show. */
  act: () => Promise<string | Notice>;
  /** The main action of its page. */
  isMain?: boolean;
  isDisabled?: boolean;
  children: ComponentChildren;
}

/** A button that does something, and shows the result. */
export function ActionButton({ act, isMain = false, isDisabled = false, children }: ActionButtonProps) {
  const { run, isPending } = useAction(act);
  return (
    <button
      type="button"
      class={isMain ? 'primary' : ''}
      disabled={isDisabled}
      // A disabled button would lose the focus of the keyboard.
      aria-disabled={isPending}
      onClick={run}
    >
      {children}
    </button>
  );
}
