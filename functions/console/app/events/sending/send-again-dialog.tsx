import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { runSource } from '../../api/source-api.ts';
import { postTest } from '../../api/webhook-api.ts';
import { Combobox } from '../../choosing/combobox.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { Modal } from '../../components/modal.tsx';
import { type Notice, useNotices } from '../../components/notices.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useDirectory } from '../../hooks/use-directory.ts';
import { useSubmit } from '../../hooks/use-submit.ts';
import { indentJson } from '../../json/indent-json.ts';
import { sentenceOfTest } from '../attempt-text.tsx';
import { runNotice } from '../run-notice.ts';

interface SendAgainDialogProps {
  json: string;
  /** The webhook that got the event. */
  webhookId: string | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** Sends an event that a person has edited to a webhook or a source. */
export const SendAgainDialog = (props: SendAgainDialogProps) => (
  <Modal isOpen={props.isOpen} title="Send again, edited" onClose={props.onClose} isWide>
    <SendAgainForm {...props} />
  </Modal>
);

function SendAgainForm({ json, webhookId = '', onClose }: SendAgainDialogProps) {
  const { say } = useNotices();
  const queries = useQueryClient();
  const directory = useDirectory();
  const [event, setEvent] = useState(() => indentJson(json));
  const [target, setTarget] = useState(webhookId);
  const { submit, isPending, error } = useSubmit(async () => {
    if (target === '') throw new Error('Choose the webhook or the source that gets the event.');
    say(await send(target, event));
    void queries.invalidateQueries({ queryKey: ['deliveries', target] });
    onClose();
  });
  const { webhooks = [], sources = [] } = directory.data ?? {};
  return (
    <form class="stack" onSubmit={submit}>
      <Combobox
        label="To"
        value={target}
        onChange={setTarget}
        groups={[
          ['Webhooks', webhooks],
          ['Sources', sources],
        ]}
      />
      <TextField label="Event" value={event} onChange={setEvent} isLong isCode />
      <p class="hint">
        A webhook gets one signed request, listed as a test and not repeated. A source runs once with the event.
      </p>
      <FormEnd
        error={error}
        isPending={isPending}
        text="Send"
        pendingText="Sending…"
        needs={target.startsWith('dc_') ? 'send' : 'manage'}
        onCancel={onClose}
      />
    </form>
  );
}

async function send(target: string, event: string): Promise<string | Notice> {
  if (!target.startsWith('wh_')) return runNotice(target, (await runSource(target, event)).data.id);
  return sentenceOfTest((await postTest(target, event)).data);
}
