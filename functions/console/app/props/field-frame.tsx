import type { ComponentChildren } from 'preact';
import { Markdown } from '../markdown/markdown.tsx';
import { FieldNotes } from './field-notes.tsx';
import type { FieldDefinition } from './prop-schema.ts';

interface FieldFrameProps {
  id: string;
  field: FieldDefinition;
  problem: string | undefined;
  hint?: ComponentChildren;
  children: ComponentChildren;
}

/** The label, the description and the problem of a field. */
export const FieldFrame = ({
  id,
  field: { label, description, isOptional, defaultValue },
  problem,
  hint,
  children,
}: FieldFrameProps) => (
  <div class="field">
    <div class="label">
      <label for={id}>{label}</label>
      {isOptional && defaultValue === undefined && <span class="optional"> optional</span>}
    </div>
    {children}
    <FieldNotes id={id} problem={problem}>
      {description !== undefined && <Markdown text={description} />}
      {hint}
    </FieldNotes>
  </div>
);
