import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from './use-action.ts';
import { useReturnedFocus } from '../../hooks/use-returned-focus.ts';
import { Modal } from '../modal.tsx';

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
  const close = (): void => setOpen(false);
  return (
    <>
      <button
        type="button"
        ref={button}
        // A disabled button would lose the focus of the keyboard.
        aria-disabled={isPending}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      <Modal isOpen={isOpen} title={title} onClose={close}>
        <div class="stack">
          <h2>{title}</h2>
          <div>{children}</div>
          <div class="actions end">
            <button type="button" autofocus onClick={close}>
              Cancel
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                close();
                run();
              }}
            >
              {label}
            </button>
          </div>
        </div>
      </Modal>
    </>
  );
}
