import type { FunctionComponent } from 'preact';
import { WEBHOOK_TEXTS } from '../../../../../shared/domain/setting-texts.ts';
import { FORMAT_NAMES, WEBHOOK_FORMATS } from '../../../../../shared/domain/webhook/webhook-format.ts';
import type { NewWebhookSettings } from '../../api/webhook-api.ts';
import { SelectFilter } from '../../components/select-filter.tsx';
import { TextField } from '../../components/text-field.tsx';
import { TagsField } from '../../tags/tags-field.tsx';
import { HeaderBoxes } from './header-boxes.tsx';
import { triesOf } from '../../../../../shared/domain/delivery/retry-schedule.ts';
import { typedPauses, type WebhookFields } from './webhook-fields.ts';

interface SettingsBoxesProps {
  fields: WebhookFields;
  onChange: (change: Partial<WebhookFields>) => void;
  /** Why the URL was refused. */
  urlProblem?: string | undefined;
}

/** The box of each setting. A button switches a webhook. */
const {
  url: Url,
  name: Name,
  description: Description,
  tags: Tags,
  ...others
} = {
  url: ({ fields, onChange, urlProblem }) => (
    <TextField
      label="URL"
      hint={WEBHOOK_TEXTS.url}
      problem={urlProblem}
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
  tags: ({ fields, onChange }) => (
    <TagsField value={fields.tags} onChange={(tags) => onChange({ tags })} hint={WEBHOOK_TEXTS.tags} />
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
  retry_seconds: ({ fields, onChange }) => (
    <TextField
      label="Retries"
      isOptional
      hint={`${WEBHOOK_TEXTS.retry_seconds} ${retriesText(fields)}`}
      value={fields.retry_seconds}
      onChange={(pauses) => onChange({ retry_seconds: pauses })}
      placeholder="5, 300, 1800"
    />
  ),
  ordered: ({ fields, onChange }) => (
    <div class="field">
      <label class="choice">
        <input
          type="checkbox"
          checked={fields.ordered}
          onChange={({ currentTarget: { checked } }) => onChange({ ordered: checked })}
        />
        In order
      </label>
      <span class="hint">{WEBHOOK_TEXTS.ordered}</span>
    </div>
  ),
  format: ({ fields, onChange }) => (
    <SelectFilter
      label="Format"
      value={fields.format}
      onChange={(chosen) => onChange({ format: WEBHOOK_FORMATS.find((format) => format === chosen) ?? 'event' })}
      values={WEBHOOK_FORMATS.map((format) => [format, FORMAT_NAMES[format]])}
      hint={WEBHOOK_TEXTS.format}
    />
  ),
  target: ({ fields, onChange }) => (
    <TextField
      label="Target on AWS"
      isOptional
      hint={`${WEBHOOK_TEXTS.target} A comma separates the two.`}
      value={fields.target}
      onChange={(target) => onChange({ target })}
      placeholder="arn:aws:sqs:us-east-1:111122223333:orders"
    />
  ),
  headers: ({ fields, onChange }) => (
    <HeaderBoxes rows={fields.headers} onChange={(headers) => onChange({ headers })} />
  ),
} satisfies Record<keyof NewWebhookSettings, FunctionComponent<SettingsBoxesProps>>;

function retriesText({ retry_seconds: typed, ordered }: WebhookFields): string {
  const pauses = typedPauses(typed);
  return pauses === undefined ? '' : `Now: ${triesOf(pauses, ordered)}.`;
}

/** The boxes that name a webhook and its address, and its tags. */
export const NameBoxes = (props: SettingsBoxesProps) => (
  <>
    <Url {...props} />
    <Name {...props} />
    <Description {...props} />
    <Tags {...props} />
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
