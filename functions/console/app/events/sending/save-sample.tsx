import { useState } from 'preact/hooks';
import { FormEnd } from '../../components/form-end.tsx';
import { Modal } from '../../components/modal.tsx';
import { useNotices } from '../../components/notices.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useSubmit } from '../../hooks/use-submit.ts';
import { MAX_SAMPLES } from '../../drafts/sample-store.ts';
import { samples } from '../../drafts/samples.ts';

interface SaveSampleProps {
  sourceId: string;
  /** The JSON text of the event. */
  json: string;
}

/** Keeps an event of a source, to send it or to try filters on it later. */
export function SaveSample(props: SaveSampleProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Save as sample…
      </button>
      <Modal isOpen={isOpen} title="Save as sample" onClose={close}>
        <SampleForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

function SampleForm({ sourceId, json, onClose }: SaveSampleProps & { onClose: () => void }) {
  const { say } = useNotices();
  const [name, setName] = useState('');
  const { submit, isPending, error } = useSubmit(async () => {
    samples.save(sourceId, { name, json });
    say(`The sample ${name.trim()} was saved. The form that sends to the source offers it.`);
    onClose();
  });
  return (
    <form class="stack" noValidate onSubmit={submit}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        placeholder="large order"
        hint={`This browser keeps up to ${MAX_SAMPLES} samples of a source, of 64 KB each, until you delete them or sign out. One of the same name is replaced.`}
      />
      <FormEnd error={error} isPending={isPending} text="Save" pendingText="Saving…" needs="read" onCancel={onClose} />
    </form>
  );
}
