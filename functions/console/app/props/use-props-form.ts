import { useState } from 'preact/hooks';
import { type FormState, problemsOf } from './prop-form.ts';
import type { FieldDefinition } from './prop-schema.ts';

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

/** The state of a form of props: the changed fields, and the problems that its last check found. */
export function usePropsForm() {
  const [state, setState] = useState<FormState>(new Map());
  const [problems, setProblems] = useState(NO_PROBLEMS);
  return {
    state,
    problems,
    change: (next: FormState): void => {
      setState(next);
      setProblems(NO_PROBLEMS);
    },
    /** Whether the form can be sent. Problems are shown at their fields. */
    check: (fields: readonly FieldDefinition[], stored: Readonly<Record<string, unknown>> = {}): boolean => {
      const found = problemsOf(fields, state, stored);
      setProblems(found);
      return found.size === 0;
    },
  };
}
