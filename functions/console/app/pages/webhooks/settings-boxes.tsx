import { TextField } from '../../components/text-field.tsx';
import { HeaderBoxes } from './header-boxes.tsx';
import type { WebhookFields } from './webhook-fields.ts';

interface SettingsBoxesProps {
  fields: WebhookFields;
  onChange: (change: Partial<WebhookFields>) => void;
}

/** The boxes that name a webhook and its address. */
export const NameBoxes = ({ fields, onChange }: SettingsBoxesProps) => (
  <>
    <TextField
      label="URL"
      hint="Events are sent here as POST requests. http and https."
      value={fields.url}
      onChange={(url) => onChange({ url })}
      placeholder="https://example.org/hooks"
    />
    <TextField label="Name" isOptional value={fields.name} onChange={(name) => onChange({ name })} />
    <TextField
      label="Description"
      isOptional
      value={fields.description}
      onChange={(description) => onChange({ description })}
    />
  </>
);

/** The boxes that say how a webhook is sent to. */
export const RequestBoxes = ({ fields, onChange }: SettingsBoxesProps) => (
  <>
    <TextField
      label="Rate limit"
      isOptional
      hint="Most attempts a second, from 1 to 1,000. Tests do not count."
      value={fields.rateLimit}
      onChange={(rateLimit) => onChange({ rateLimit })}
      placeholder="no limit"
    />
    <HeaderBoxes rows={fields.headers} onChange={(headers) => onChange({ headers })} />
  </>
);
