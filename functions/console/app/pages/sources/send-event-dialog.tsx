import { useState } from 'preact/hooks';
import type { Source } from '../../api/wire.ts';
import { Modal } from '../../components/modal.tsx';
import { TextField } from '../../components/text-field.tsx';
import { SampleChoice } from '../../events/sending/sample-choice.tsx';
import { SendForm } from './send-form.tsx';

interface SendEventDialogProps {
  source: Source;
  isOpen: boolean;
  onClose: () => void;
}

/** Runs a source once with an event that a person types. */
export function SendEventDialog({ source: { id }, isOpen, onClose }: SendEventDialogProps) {
  // The next dialog begins with the text of the last one.
  const [event, setEvent] = useState('{\n  "name": "Ada"\n}');
  return (
    <Modal isOpen={isOpen} title="Send an event" onClose={onClose}>
      <SendForm sourceId={id} eventOf={() => event} onClose={onClose}>
        <SampleChoice sourceId={id} onChoose={setEvent} />
        <TextField
          label="Event"
          value={event}
          onChange={setEvent}
          isLong
          isCode
          hint="The JSON object that the component’s run gets."
        />
      </SendForm>
    </Modal>
  );
}
