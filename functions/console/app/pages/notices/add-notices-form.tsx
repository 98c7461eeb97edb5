import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { CHAT_APPS, FORMAT_NAMES } from '../../../../../shared/domain/webhook/webhook-format.ts';
import { NOTICE_NAMES, NOTICE_TITLES } from '../../../../../shared/domain/notice/notice-names.ts';
import { Combobox } from '../../choosing/combobox.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { useNotices } from '../../components/notices.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { Directory } from '../../hooks/use-directory.ts';
import { useSubmit } from '../../hooks/use-submit.ts';
import { addNotices, appOf, NO_NOTICES, type NoticeFields } from './notice-fields.ts';

/** A webhook or the address of a channel, and the kinds of notices that it gets. */
export function AddNoticesForm({ directory: { notices, webhooks } }: { directory: Directory }) {
  const queries = useQueryClient();
  const { say } = useNotices();
  const [fields, setFields] = useState(NO_NOTICES);
  const change = (changed: Partial<NoticeFields>): void => setFields((typed) => ({ ...typed, ...changed }));
  const { submit, isPending, error } = useSubmit(async () => {
    try {
      await addNotices(notices.id, fields);
    } finally {
      // A part may have been made.
      for (const list of ['subscriptions', 'webhooks', 'directory'])
        await queries.invalidateQueries({ queryKey: [list] });
    }
    setFields(NO_NOTICES);
    say('The notices were added. Send a test to see one.');
  });
  return (
    <form class="card stack form" aria-label="Add notices" noValidate autocomplete="off" onSubmit={submit}>
      <h2>Add notices</h2>
      <Combobox
        label="Webhook"
        value={fields.webhook}
        onChange={(webhook) => change({ webhook })}
        groups={[['Webhooks', webhooks]]}
      />
      <TextField
        label="Or the address of a channel"
        hint="The address of an incoming webhook of Slack or Discord, or of a workflow of Teams that posts to a channel."
        value={fields.address}
        onChange={(address) => change({ address })}
        placeholder="https://hooks.slack.com/services/…"
      />
      {fields.address.trim() !== '' && <AppBox fields={fields} onChange={change} />}
      <KindBoxes fields={fields} onChange={change} />
      <FormEnd error={error} isPending={isPending} text="Add notices" pendingText="Adding…" />
    </form>
  );
}

interface BoxesProps {
  fields: NoticeFields;
  onChange: (changed: Partial<NoticeFields>) => void;
}

const AppBox = ({ fields, onChange }: BoxesProps) => (
  <SelectFilter
    label="App"
    value={appOf(fields) ?? ''}
    onChange={(chosen) => onChange({ app: CHAT_APPS.find((app) => app === chosen) })}
    all="Choose…"
    values={CHAT_APPS.map((app) => [app, FORMAT_NAMES[app]])}
  />
);

const KindBoxes = ({ fields: { kinds }, onChange }: BoxesProps) => (
  <fieldset class="kind-boxes">
    <legend class="label">Kinds of notices</legend>
    <div class="kinds">
      {NOTICE_NAMES.map((name) => (
        <label class="choice" key={name} title={name}>
          <input
            type="checkbox"
            checked={kinds.includes(name)}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ kinds: NOTICE_NAMES.filter((each) => (each === name ? checked : kinds.includes(each))) })
            }
          />
          {NOTICE_TITLES[name]}
        </label>
      ))}
    </div>
  </fieldset>
);
