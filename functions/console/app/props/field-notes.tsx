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
    <div class="hint" id={`${id}-hint`}>
      {children}
    </div>
    {problem !== undefined && (
      <span class="field-problem" role="alert">
        {problem}
      </span>
    )}
  </>
);
