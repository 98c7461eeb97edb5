import { useState } from 'preact/hooks';
import { type FormState, problemsOf, statesSince } from './prop-form.ts';
import type { FieldDefinition } from './prop-schema.ts';

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

interface Check {
  stored?: Readonly<Record<string, unknown>>;
  /** Whether the keyboard goes to the first problem. */
  goTo?: boolean;
}

/** The state of a form of props: the changed fields, and the problems that its last check found. */
export function usePropsForm() {
  const [state, setState] = useState<FormState>(new Map());
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [goesToProblem, setGoing] = useState(false);
  return {
    state,
    problems,
    goesToProblem,
    change: (next: FormState): void => {
      setState(next);
      setProblems(NO_PROBLEMS);
    },
    /** The states of the form were stored. Those that were changed meanwhile stay. */
    saved: (sent: FormState): void => setState((latest) => statesSince(sent, latest)),
    /** Whether the form can be sent. Problems are shown at their fields. */
    check: (fields: readonly FieldDefinition[], { stored = {}, goTo = true }: Check = {}): boolean => {
      const found = problemsOf(fields, state, stored);
      setProblems(found);
      setGoing(goTo);
      return found.size === 0;
    },
  };
}
