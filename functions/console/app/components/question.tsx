import type { ComponentChildren } from 'preact';
import { Modal } from './modal.tsx';

interface QuestionProps {
  isOpen: boolean;
  title: string;
  /** The consequences. */
  children: ComponentChildren;
  /** The text of the button that confirms. */
  yes: string;
  /** The text of the button that changes nothing. */
  no?: string;
  /** Going on cannot be undone. */
  isDangerous: boolean;
  onYes: () => void;
  onNo: () => void;
}

/** Asks in a dialog before something happens. */
export const Question = ({ isOpen, title, children, yes, no = 'Cancel', isDangerous, onYes, onNo }: QuestionProps) => (
  <Modal isOpen={isOpen} title={title} onClose={onNo}>
    <div>{children}</div>
    <div class="actions end">
      <button type="button" autofocus onClick={onNo}>
        {no}
      </button>
      <button type="button" class={isDangerous ? 'danger' : 'primary'} onClick={onYes}>
        {yes}
      </button>
    </div>
  </Modal>
);
