import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Allowed, useLack } from '../../api/rights.tsx';
import { useAction } from './use-action.ts';
import { useReturnedFocus } from '../../hooks/use-returned-focus.ts';
import { Question } from '../question.tsx';

interface DeleteButtonProps {
  /** The text of the button on the page, and of the one in the dialog. */
  label?: string;
  /** The question of the dialog. */
  title: string;
  /** Deletes, and resolves with the result to show. */
  onDelete: () => Promise<string>;
  /** The consequences, under the question. */
  children: ComponentChildren;
}

/** A button that asks in a dialog before it deletes. */
export function DeleteButton({ label = 'Delete', title, onDelete, children }: DeleteButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useReturnedFocus();
  const { run, isPending } = useAction(onDelete);
  const lack = useLack('manage');
  const close = (): void => setOpen(false);
  const remove = (): void => {
    close();
    run();
  };
  return (
    <Allowed>
      <button
        type="button"
        ref={button}
        // A disabled button would lose the focus of the keyboard.
        aria-disabled={isPending}
        disabled={lack !== undefined}
        title={lack}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      <Question isOpen={isOpen} title={title} yes={label} isDangerous onYes={remove} onNo={close}>
        {children}
      </Question>
    </Allowed>
  );
}
