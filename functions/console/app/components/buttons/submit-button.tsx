import { Allowed, useLack } from '../../api/rights.tsx';
import type { Scope } from '../../api/wire.ts';

interface SubmitButtonProps {
  isPending: boolean;
  /** The text while the form is being sent. */
  pendingText: string;
  /** The scope that its request needs. */
  needs?: Scope | undefined;
  children: string;
}

/** The button that sends its form. */
export function SubmitButton({ isPending, pendingText, needs = 'manage', children: text }: SubmitButtonProps) {
  const lack = useLack(needs);
  return (
    <Allowed needs={needs}>
      {/* A disabled button would lose the focus of the keyboard. */}
      <button type="submit" class="primary" aria-disabled={isPending} disabled={lack !== undefined} title={lack}>
        {isPending ? pendingText : text}
      </button>
    </Allowed>
  );
}
