import type { ComponentChildren } from 'preact';
import { runSource } from '../../api/source-api.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { useNotices } from '../../components/notices.tsx';
import { runNotice } from '../../events/run-notice.ts';
import { useSubmit } from '../../hooks/use-submit.ts';

interface SendFormProps {
  sourceId: string;
  /** The JSON text of the event. Throws a sentence for people about a box that says too little. */
  eventOf: () => string;
  onClose: () => void;
  children: ComponentChildren;
}

/** The form of a dialog that runs a source once with an event. */
export function SendForm({ sourceId, eventOf, onClose, children }: SendFormProps) {
  const { say } = useNotices();
  const { submit, isPending, error } = useSubmit(async () => {
    const { data } = await runSource(sourceId, eventOf());
    say(runNotice(sourceId, data.id));
    onClose();
  });
  return (
    <form class="stack" onSubmit={submit}>
      {children}
      <FormEnd error={error} isPending={isPending} text="Send" pendingText="Sending…" needs="send" onCancel={onClose} />
    </form>
  );
}
