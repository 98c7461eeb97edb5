import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { createAutoSubscription } from '../api/auto-subscription-api.ts';
import { createSubscription } from '../api/subscription-api.ts';
import { useNotices } from '../components/notices.tsx';
import { ErrorText } from '../components/refusal.tsx';
import { SubmitButton } from '../components/buttons/submit-button.tsx';
import { TextField } from '../components/text-field.tsx';
import { filterProblem } from '../events/filter-problem.ts';
import type { Directory } from '../hooks/use-directory.ts';
import { useSubmit } from '../hooks/use-submit.ts';
import { EntrySelect } from './entry-select.tsx';
import { FilterPreview } from './filter-preview.tsx';

/** The choice of an auto-subscription in the place of an emitter. */
const EVERY_NEW = 'every-new';

const EVERYTHING = [
  { id: 'dc_*', name: 'All sources, present and future' },
  { id: 'p_*', name: 'All workflows, present and future' },
  { id: EVERY_NEW, name: 'Every source and workflow made from now on' },
];

const STREAMS = ['default', '$errors', '$logs'];

interface SubscriptionFormProps {
  directory: Directory;
  /** The heading: `New subscription`. */
  title: string;
  /** The text of the button: `Add subscription`. */
  action: string;
  /** The only emitter. Without one, a person chooses it. */
  emitterId?: string;
}

/** Makes a listener receive the events of an emitter. `?emitter=` and `?listener=` choose both in advance. */
export function SubscriptionForm({ directory, title, action, emitterId }: SubscriptionFormProps) {
  const { query } = useLocation();
  const { say } = useNotices();
  const queries = useQueryClient();
  const [emitter, setEmitter] = useState(emitterId ?? query['emitter'] ?? '');
  const [listener, setListener] = useState(query['listener'] ?? '');
  const [stream, setStream] = useState('');
  const [filter, setFilter] = useState('');

  const { submit, isPending, error } = useSubmit(async () => {
    const problem = missingOf(emitter, listener) ?? filterProblem(filter);
    if (problem !== undefined) throw new Error(problem);
    const body = {
      listener_id: listener,
      event_name: stream.trim(),
      ...(filter.trim() === '' ? {} : { filter: JSON.parse(filter) }),
    };
    if (emitter === EVERY_NEW)
      await createAutoSubscription({ ...body, event_name: body.event_name || 'default' });
    else await createSubscription({ ...body, emitter_id: emitter });
    const key = emitter === EVERY_NEW ? 'auto-subscriptions' : 'subscriptions';
    await queries.invalidateQueries({ queryKey: [key] });
    say('The subscription was added. Its listener gets every event from now on.');
    setListener('');
    setFilter('');
  });

  const { sources, workflows, webhooks } = directory;
  return (
    <form class="card stack" aria-label={title} noValidate onSubmit={submit}>
      <h2>{title}</h2>
      <div class="grid thirds">
        {emitterId === undefined && (
          <EntrySelect
            label="Emitter"
            value={emitter}
            onChange={setEmitter}
            groups={[
              ['Everything', EVERYTHING],
              ['Sources', sources],
              ['Workflows', workflows],
            ]}
          />
        )}
        <TextField
          label="Stream"
          isOptional
          value={stream}
          onChange={setStream}
          placeholder="default"
          suggestions={STREAMS}
        />
        <EntrySelect
          label="Listener"
          value={listener}
          onChange={setListener}
          groups={[
            ['Webhooks', webhooks],
            ['Sources', sources.filter(({ id }) => id !== emitterId)],
            ['Workflows', workflows],
          ]}
        />
      </div>
      <TextField
        label="Filter"
        isOptional
        isCode
        isLong
        value={filter}
        onChange={setFilter}
        placeholder='{"status": ["paid"]}'
        hint="An event pattern as JSON. Without one, every event is delivered."
      />
      <FilterPreview emitterId={emitter} stream={stream.trim()} filter={filter.trim()} />
      {error !== undefined && <ErrorText error={error} />}
      <div class="actions">
        <SubmitButton isPending={isPending} pendingText="Adding…">
          {action}
        </SubmitButton>
      </div>
    </form>
  );
}

function missingOf(emitter: string, listener: string): string | undefined {
  if (emitter === '') return 'Choose the emitter: a source or a workflow whose events are delivered.';
  if (listener === '') return 'Choose the listener: the webhook, source or workflow that gets the events.';
  return undefined;
}
