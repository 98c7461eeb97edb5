import type { ComponentChildren } from 'preact';
import { Allowed, useLack } from '../../api/rights.tsx';
import type { Scope } from '../../api/wire.ts';
import type { Notice } from '../notices.tsx';
import { useAction } from './use-action.ts';

interface ActionButtonProps {
  /** Resolves with the result to show. */
  act: () => Promise<string | Notice>;
  /** The main action of its page. */
  isMain?: boolean;
  isDisabled?: boolean;
  /** The scope that its request needs. */
  needs?: Scope;
  children: ComponentChildren;
}

/** A button that does something, and shows the result. */
export function ActionButton({
  act,
  isMain = false,
  isDisabled = false,
  needs = 'manage',
  children,
}: ActionButtonProps) {
  const { run, isPending } = useAction(act);
  const lack = useLack(needs);
  return (
    <Allowed needs={needs}>
      <button
        type="button"
        class={isMain ? 'primary' : ''}
        disabled={isDisabled || lack !== undefined}
        title={lack}
        // A disabled button would lose the focus of the keyboard.
        aria-disabled={isPending}
        onClick={() => run()}
      >
        {children}
      </button>
    </Allowed>
  );
}
