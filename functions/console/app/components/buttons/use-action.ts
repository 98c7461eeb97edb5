import { useState } from 'preact/hooks';
import { type Notice, useNotices } from '../notices.tsx';

interface Action {
  run: () => void;
  isPending: boolean;
}

/** An action of a button. Its result is what to show; a failure is shown with the API's sentence. */
export function useAction(act: () => Promise<string | Notice>): Action {
  const { say, refuse } = useNotices();
  const [isPending, setPending] = useState(false);
  const run = (): void => {
    if (isPending) return;
    setPending(true);
    act()
      .then(say, refuse)
      .finally(() => setPending(false));
  };
  return { run, isPending };
}
