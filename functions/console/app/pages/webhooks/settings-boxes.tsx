import type { FunctionComponent } from 'preact';
import { WEBHOOK_TEXTS } from '../../../../../shared/domain/setting-texts.ts';
import type { NewWebhookSettings } from '../../api/webhook-api.ts';
import { TextField } from '../../components/text-field.tsx';
import { HeaderBoxes } from './header-boxes.tsx';
import type { WebhookFields } from './webhook-fields.ts';

interface SettingsBoxesProps {
  fields: WebhookFields;
  onChange: (change: Partial<WebhookFields>) => void;
}

/** The box of each setting. A button switches a webhook. */
const {
  url: Url,
  name: Name,
  description: Description,
  ...others
} = {
  url: ({ fields, onChange }) => (
    <TextField
      label="URL"
      hint={WEBHOOK_TEXTS.url}
      value={fields.url}
      onChange={(url) => onChange({ url })}
      placeholder="https://example.org/hooks"
    />
  ),
  name: ({ fields, onChange }) => (
    <TextField
      label="Name"
      hint={WEBHOOK_TEXTS.name}
      isOptional
      value={fields.name}
      onChange={(name) => onChange({ name })}
    />
  ),
  description: ({ fields, onChange }) => (
    <TextField
      label="Description"
      hint={WEBHOOK_TEXTS.description}
      isOptional
      value={fields.description}
      onChange={(description) => onChange({ description })}
    />
  ),
  rate_limit: ({ fields, onChange }) => (
    <TextField
      label="Rate limit"
      isOptional
      hint={WEBHOOK_TEXTS.rate_limit}
      value={fields.rate_limit}
      onChange={(limit) => onChange({ rate_limit: limit })}
      placeholder="no limit"
    />
  ),
  headers: ({ fields, onChange }) => (
    <HeaderBoxes rows={fields.headers} onChange={(headers) => onChange({ headers })} />
  ),
} satisfies Record<keyof NewWebhookSettings, FunctionComponent<SettingsBoxesProps>>;

/** The boxes that name a webhook and its address. */
export const NameBoxes = (props: SettingsBoxesProps) => (
  <>
    <Url {...props} />
    <Name {...props} />
    <Description {...props} />
  </>
);

/** The boxes that say how a webhook is sent to. */
export const RequestBoxes = (props: SettingsBoxesProps) => (
  <>
    {Object.entries(others).map(([name, Box]) => (
      <Box key={name} {...props} />
    ))}
  </>
);
