import { SubmitButton } from './buttons/submit-button.tsx';
import { ErrorText } from './refusal.tsx';

interface FormEndProps {
  /** The failure of the last submission; undefined without one. */
  error: unknown;
  isPending: boolean;
  text: string;
  /** The text while the form is being sent. */
  pendingText: string;
  onCancel: () => void;
}

/** The end of a form of a dialog: why it failed, and its buttons. */
export const FormEnd = ({ error, isPending, text, pendingText, onCancel }: FormEndProps) => (
  <>
    {error !== undefined && <ErrorText error={error} />}
    <div class="actions end">
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
      <SubmitButton isPending={isPending} pendingText={pendingText}>
        {text}
      </SubmitButton>
    </div>
  </>
);
