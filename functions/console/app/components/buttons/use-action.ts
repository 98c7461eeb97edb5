import { useState } from 'preact/hooks';
import { type Notice, useNotices } from '../notices.tsx';

interface RunningAction<Input> {
  run: (input: Input) => void;
  isPending: boolean;
}

/** An action of a button. Its result is what to show; a failure is shown with the API's sentence. */
export function useAction<Input = void>(act: (input: Input) => Promise<string | Notice>): RunningAction<Input> {
  const { say, refuse } = useNotices();
  const [isPending, setPending] = useState(false);
  const run = (input: Input): void => {
    if (isPending) return;
    setPending(true);
    act(input)
      .then(say, refuse)
      .finally(() => setPending(false));
  };
  return { run, isPending };
}
