import type { FieldState } from './prop-form.ts';
import type { FieldDefinition } from './prop-schema.ts';

export interface FieldProps {
  field: FieldDefinition;
  /** The value of the form, or the default. */
  value: unknown;
  /** Whether the source has this value already. */
  isStored: boolean;
  problem: string | undefined;
  onState: (state: FieldState) => void;
}
