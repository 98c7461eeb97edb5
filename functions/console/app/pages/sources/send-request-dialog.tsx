import { useState } from 'preact/hooks';
import type { Source } from '../../api/wire.ts';
import { CopyLine } from '../../components/commands/copy-line.tsx';
import { Modal } from '../../components/modal.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { TextField } from '../../components/text-field.tsx';
import { SampleChoice } from '../../events/sending/sample-choice.tsx';
import { curlLineOf } from './curl-line.ts';
import { FIRST_REQUEST, METHODS, type RequestFields, requestEvent } from './request-event.ts';
import { SendForm } from './send-form.tsx';

interface SendRequestDialogProps {
  source: Source;
  endpoint: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Runs a source once with the event of a request that a person types. */
export function SendRequestDialog({ source: { id }, endpoint, isOpen, onClose }: SendRequestDialogProps) {
  // The next dialog begins with the request of the last one.
  const [fields, setFields] = useState(FIRST_REQUEST);
  const change = (name: keyof RequestFields) => (value: string) => setFields({ ...fields, [name]: value });
  return (
    <Modal isOpen={isOpen} title="Send a request" onClose={onClose}>
      <SendForm sourceId={id} eventOf={() => requestEvent(endpoint, fields)} onClose={onClose}>
        <div class="request-line">
          <SelectFilter label="Method" value={fields.method} onChange={change('method')} values={METHODS} />
          <TextField label="Path" value={fields.path} onChange={change('path')} isCode />
        </div>
        <TextField
          label="Headers"
          value={fields.headers}
          onChange={change('headers')}
          hint="One header per line, such as X-Id: 7"
          isLong
          isCode
        />
        <SampleChoice sourceId={id} onChoose={change('body')} />
        <TextField label="Body" value={fields.body} onChange={change('body')} isLong isCode />
        <div class="field">
          <span class="hint">
            <em>Send</em> runs the source with this request, without network. To call the real endpoint:
          </span>
          <CopyLine name="curl line">{curlLineOf(endpoint, fields)}</CopyLine>
        </div>
      </SendForm>
    </Modal>
  );
}
