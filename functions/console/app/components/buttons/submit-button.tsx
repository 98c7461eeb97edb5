interface SubmitButtonProps {
  isPending: boolean;
  /** The text while the form is being sent. */
  pendingText: string;
  children: string;
}

/** The button that sends its form. */
export const SubmitButton = ({ isPending, pendingText, children: text }: SubmitButtonProps) => (
  // A disabled button would lose the focus of the keyboard.
  <button type="submit" class="primary" aria-disabled={isPending}>
    {isPending ? pendingText : text}
  </button>
);
