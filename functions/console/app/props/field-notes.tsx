import type { ComponentChildren } from 'preact';

interface FieldNotesProps {
  /** The id of the field. */
  id: string;
  problem: string | undefined;
  /** The hint, which describes the field. */
  children: ComponentChildren;
}

/** The hint of a field, and its problem. */
export const FieldNotes = ({ id, problem, children }: FieldNotesProps) => (
  <>
    <span class="hint" id={`${id}-hint`}>
      {children}
    </span>
    {problem !== undefined && (
      <span class="field-problem" role="alert">
        {problem}
      </span>
    )}
  </>
);
