import { NOTICE_NAMES } from '../../../../shared/domain/notice/notice-names.ts';
import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { Combobox } from '../choosing/combobox.tsx';
import { useNotices } from '../components/notices.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { filterProblem } from '../events/filter-problem.ts';
import type { Directory } from '../hooks/use-directory.ts';
import { useSubmit } from '../hooks/use-submit.ts';
import { PatternBox, StreamBox } from './pattern-boxes.tsx';
import { addSubscription, EVERYTHING, NO_SUBSCRIPTION, STREAMS } from './subscription-fields.ts';

export interface SubscriptionFormProps {
  directory: Directory;
  /** The heading: `New subscription`. */
  title: string;
  /** The text of the button: `Add subscription`. */
  action: string;
  /** The only emitter. Without one, a person chooses it. */
  emitterId?: string;
  /** `hasFocus`: whether the person has not gone on to something else. */
  onAdded?: (hasFocus: boolean) => void;
}

/**
 * Makes a listener receive the events of an emitter. `?emitter=`, `?stream=` and `?listener=` choose them in advance.
 */
export function SubscriptionForm({ directory, title, action, emitterId, onAdded }: SubscriptionFormProps) {
  const { query } = useLocation();
  const { say } = useNotices();
  const queries = useQueryClient();
  const [fields, setFields] = useState({
    ...NO_SUBSCRIPTION,
    emitter: emitterId ?? query['emitter'] ?? '',
    stream: query['stream'] ?? '',
  });
  const [listener, setListener] = useState(query['listener'] ?? '');
  const { emitter, stream, filter } = fields;

  const { submit, isPending, error } = useSubmit(async (hasFocus) => {
    const problem = missingOf(emitter, listener) ?? filterProblem(filter);
    if (problem !== undefined) throw new Error(problem);
    await queries.invalidateQueries({ queryKey: [await addSubscription(fields, listener)] });
    say('The subscription was added. Its listener gets every event from now on.');
    setListener('');
    setFields({ ...fields, filter: '' });
    onAdded?.(hasFocus());
  });

  const { sources, workflows, webhooks, notices } = directory;
  return (
    <form class="card stack" aria-label={title} noValidate onSubmit={submit}>
      <h2>{title}</h2>
      <div class="grid thirds">
        {emitterId === undefined && (
          <Combobox
            label="Emitter"
            value={emitter}
            onChange={(chosen) => setFields({ ...fields, emitter: chosen })}
            groups={[
              ['Everything', EVERYTHING],
              ['Sources', sources],
              ['Workflows', workflows],
              ['Failures and recoveries', [notices]],
            ]}
          />
        )}
        <StreamBox
          suggestions={emitter === notices.id ? [...NOTICE_NAMES] : STREAMS}
          value={stream}
          onChange={(typed) => setFields({ ...fields, stream: typed })}
        />
        <Combobox
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
      <PatternBox fields={fields} onChange={(typed) => setFields({ ...fields, filter: typed })} />
      <FormEnd error={error} isPending={isPending} text={action} pendingText="Adding…" />
    </form>
  );
}

function missingOf(emitter: string, listener: string): string | undefined {
  if (emitter === '') return 'Choose the emitter: a source or a workflow whose events are delivered.';
  if (listener === '') return 'Choose the listener: the webhook, source or workflow that gets the events.';
  return undefined;
}
