import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { putWebhook } from '../../api/webhook-api.ts';
import type { Webhook } from '../../api/wire.ts';
import { Badge } from '../../components/badge.tsx';
import { FormEnd, FormFields } from '../../components/form-end.tsx';
import { useNotices } from '../../components/notices.tsx';
import { UnsavedGuard } from '../../components/unsaved-guard.tsx';
import { replaceData } from '../../hooks/replace-data.ts';
import { useSubmit } from '../../hooks/use-submit.ts';
import { NameBoxes, RequestBoxes } from './settings-boxes.tsx';
import { changedSettings, editsSince, typedFieldsOf, type WebhookFields } from './webhook-fields.ts';
import { WebhookFrame } from './webhook-frame.tsx';

export const WebhookSettingsPage = ({ id = '' }: { id?: string }) => (
  <WebhookFrame id={id}>{(webhook) => <SettingsForm key={webhook.id} webhook={webhook} />}</WebhookFrame>
);

/** The settings of a webhook. A save sends those that a person changed. */
function SettingsForm({ webhook }: { webhook: Webhook }) {
  const queries = useQueryClient();
  const { say } = useNotices();
  const [edits, setEdits] = useState<Partial<WebhookFields>>({});
  const stored = typedFieldsOf(webhook);
  const fields = { ...stored, ...edits };
  const isUnsaved = JSON.stringify(fields) !== JSON.stringify(stored);
  const change = (changed: Partial<WebhookFields>): void => setEdits((made) => ({ ...made, ...changed }));
  const { submit, isPending, error } = useSubmit(async () => {
    const changed = changedSettings(stored, fields);
    if (changed !== undefined)
      await replaceData(queries, ['webhook', webhook.id], await putWebhook(webhook.id, changed));
    // More may have been typed since.
    setEdits((latest) => editsSince(edits, latest));
    say(changed === undefined ? 'Nothing was changed.' : 'Saved. Every attempt from now on uses the new settings.');
  });
  return (
    <form class="card stack form" aria-label="Settings" noValidate autocomplete="off" onSubmit={submit}>
      <UnsavedGuard isUnsaved={isUnsaved} />
      <FormFields>
        <NameBoxes fields={fields} onChange={change} />
        <RequestBoxes fields={fields} onChange={change} />
      </FormFields>
      <FormEnd error={error} isPending={isPending} text="Save" pendingText="Saving…">
        {isUnsaved && <Badge tone="warn">not saved</Badge>}
      </FormEnd>
    </form>
  );
}
