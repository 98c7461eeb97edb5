import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ModalProps {
  isOpen: boolean;
  /** The accessible name, and the heading. */
  title: string;
  onClose: () => void;
  /** Room for a text of many lines. */
  isWide?: boolean;
  hasHeading?: boolean;
  children: ComponentChildren;
}

/** A dialog above the page. Escape closes it. */
export function Modal({ isOpen, title, onClose, isWide = false, hasHeading = true, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = useRef(false);
  // Before the next key: an effect waits for a frame, and a dialog that is still open refuses another.
  useLayoutEffect(() => {
    isShown.current = isOpen;
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      class={isWide ? 'wide-dialog' : undefined}
      onCancel={(event) => {
        // Only `isOpen` closes the dialog.
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        // A browser can close it all the same. The event comes later, perhaps when the dialog was opened again or is
        // about to be.
        if (isShown.current && dialog.current?.open === false) onClose();
      }}
    >
      {isOpen && (
        <div class="stack">
          {hasHeading && <h2>{title}</h2>}
          {children}
        </div>
      )}
    </dialog>
  );
}
