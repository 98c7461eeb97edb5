import { useState } from 'preact/hooks';
import { runSource } from '../../api/source-api.ts';
import type { Source } from '../../api/wire.ts';
import { SubmitButton } from '../../components/buttons/submit-button.tsx';
import { CopyLine } from '../../components/copy-line.tsx';
import { Modal } from '../../components/modal.tsx';
import { useNotices } from '../../components/notices.tsx';
import { ErrorText } from '../../components/refusal.tsx';
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

/** Runs a source once with a request as its endpoint would take it. */
export function SendRequestDialog({ source, endpoint, isOpen, onClose }: SendRequestDialogProps) {
  // The next dialog begins with the request of the last one.
  const [fields, setFields] = useState(FIRST_REQUEST);
  return (
    <Modal isOpen={isOpen} title="Send a request" onClose={onClose}>
      <SendRequestForm
        source={source}
        endpoint={endpoint}
        fields={fields}
        onFields={setFields}
        onClose={onClose}
      />
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
  const change = (name: keyof RequestFields) => (value: string) => {
    onFields({ ...fields, [name]: value });
  };
  return (
    <form class="stack" onSubmit={submit}>
      <h2>Send a request</h2>
      <div class="request-line">
        <label class="field">
          <span class="label">Method</span>
          <select
            value={fields.method}
            onChange={({ currentTarget }) => {
              change('method')(currentTarget.value);
            }}
          >
            {METHODS.map((method) => (
              <option key={method} value={method}>
                {method}
              </option>
            ))}
          </select>
        </label>
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
        <span class="hint">The component gets it as from its endpoint. From a terminal:</span>
        <CopyLine name="curl line">{curlLineOf(endpoint, fields)}</CopyLine>
      </div>
      {error !== undefined && <ErrorText error={error} />}
      <div class="actions end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <SubmitButton isPending={isPending} pendingText="Sending…">
          Send
        </SubmitButton>
      </div>
    </form>
  );
}
