import { useState } from 'preact/hooks';
import { runSource } from '../../api/source-api.ts';
import type { Source } from '../../api/wire.ts';
import { Modal } from '../../components/modal.tsx';
import { useNotices } from '../../components/notices.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { TextField } from '../../components/text-field.tsx';
import { runNotice } from '../../events/run-notice.ts';
import { useSubmit } from '../../hooks/use-submit.ts';

interface SendEventDialogProps {
  source: Source;
  isOpen: boolean;
  onClose: () => void;
}

/** Runs a source once with an event that a person types. */
export function SendEventDialog({ source, isOpen, onClose }: SendEventDialogProps) {
  // The next dialog begins with the text of the last one.
  const [event, setEvent] = useState('{\n  "name": "Ada"\n}');
  return (
    <Modal isOpen={isOpen} title="Send an event" onClose={onClose}>
      <SendEventForm source={source} event={event} onEvent={setEvent} onClose={onClose} />
    </Modal>
  );
}

interface SendEventFormProps {
  source: Source;
  event: string;
  onEvent: (event: string) => void;
  onClose: () => void;
}

function SendEventForm({ source, event, onEvent, onClose }: SendEventFormProps) {
  const { say } = useNotices();
  const { submit, isPending, error } = useSubmit(async () => {
    const { data } = await runSource(source.id, event);
    say(runNotice(source.id, data.id));
    onClose();
  });
  return (
    <form class="stack" onSubmit={submit}>
      <h2>Send an event</h2>
      <TextField
        label="Event"
        value={event}
        onChange={onEvent}
        isLong
        isCode
        hint="The JSON object that the component’s run gets."
      />
      <FormEnd error={error} isPending={isPending} text="Send" pendingText="Sending…" onCancel={onClose} />
    </form>
  );
}
