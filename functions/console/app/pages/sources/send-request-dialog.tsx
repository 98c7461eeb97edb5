import { useState } from 'preact/hooks';
import { runSource } from '../../api/source-api.ts';
import type { Source } from '../../api/wire.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { CopyLine } from '../../components/commands/copy-line.tsx';
import { Modal } from '../../components/modal.tsx';
import { useNotices } from '../../components/notices.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useSubmit } from '../../hooks/use-submit.ts';
import { runNotice } from '../../events/run-notice.ts';
import { FIRST_REQUEST, METHODS, type RequestFields, requestEvent } from './request-event.ts';
import { curlLineOf } from './curl-line.ts';

interface SendRequestDialogProps {
  source: Source;
  endpoint: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Runs a source once with the event of a request that a person types. */
export function SendRequestDialog({ source, endpoint, isOpen, onClose }: SendRequestDialogProps) {
  // The next dialog begins with the request of the last one.
  const [fields, setFields] = useState(FIRST_REQUEST);
  return (
    <Modal isOpen={isOpen} title="Send a request" onClose={onClose}>
      <SendRequestForm source={source} endpoint={endpoint} fields={fields} onFields={setFields} onClose={onClose} />
    </Modal>
  );
}

interface SendRequestFormProps extends Omit<SendRequestDialogProps, 'isOpen'> {
  fields: RequestFields;
  onFields: (fields: RequestFields) => void;
}

function SendRequestForm({ source, endpoint, fields, onFields, onClose }: SendRequestFormProps) {
  const { say } = useNotices();
  const { submit, isPending, error } = useSubmit(async () => {
    const { data } = await runSource(source.id, requestEvent(endpoint, fields));
    say(runNotice(source.id, data.id));
    onClose();
  });
  const change = (name: keyof RequestFields) => (value: string) => onFields({ ...fields, [name]: value });
  return (
    <form class="stack" onSubmit={submit}>
      <h2>Send a request</h2>
      <div class="request-line">
        <SelectFilter label="Method" value={fields.method} onChange={change('method')} values={METHODS} />
        <TextField label="Path" value={fields.path} onChange={change('path')} isCode />
      </div>
      <TextField
        label="Headers"
        value={fields.headers}
        onChange={change('headers')}
        hint="One a line: name: value"
        isLong
        isCode
      />
      <TextField label="Body" value={fields.body} onChange={change('body')} isLong isCode />
      <div class="field">
        <span class="hint">
          The source runs with the event of this request, without client_ip. The endpoint gets nothing. To send it to
          the endpoint:
        </span>
        <CopyLine name="curl line">{curlLineOf(endpoint, fields)}</CopyLine>
      </div>
      <FormEnd error={error} isPending={isPending} text="Send" pendingText="Sending…" onCancel={onClose} />
    </form>
  );
}
