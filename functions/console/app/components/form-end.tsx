import type { ComponentChildren } from 'preact';
import { useAllows } from '../api/rights.tsx';
import type { Scope } from '../api/wire.ts';
import { SubmitButton } from './buttons/submit-button.tsx';
import { ErrorText } from './refusal.tsx';

interface FormEndProps {
  /** The failure of the last submission; undefined without one. */
  error: unknown;
  isPending: boolean;
  text: string;
  /** The text while the form is being sent. */
  pendingText: string;
  /** The scope that the request needs. */
  needs?: Scope;
  /** Closes the dialog of the form. */
  onCancel?: () => void;
  /** After the buttons. */
  children?: ComponentChildren;
}

/** The end of a form: why it failed, and its buttons. */
export const FormEnd = ({ error, isPending, text, pendingText, needs, onCancel, children }: FormEndProps) => (
  <>
    {error !== undefined && <ErrorText error={error} />}
    <div class={onCancel ? 'actions end' : 'actions'}>
      {onCancel && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
      <SubmitButton isPending={isPending} pendingText={pendingText} needs={needs}>
        {text}
      </SubmitButton>
      {children}
    </div>
  </>
);

/** The fields of a page's form. People whose role does not allow a change read them. */
export const FormFields = ({ children }: { children: ComponentChildren }) => (
  <fieldset class="form-fields" disabled={!useAllows('manage')}>
    {children}
  </fieldset>
);
