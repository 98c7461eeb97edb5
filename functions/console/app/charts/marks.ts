import type { Source, SourceItem, Webhook } from '../api/wire.ts';

/** A time at which a source or webhook went off, or began to fail. */
export interface Mark {
  ms: number;
  /** Stands on the time line. */
  label: string;
  /** Stands before the time. */
  text: string;
}

const disabled = (updatedAt: number): Mark => ({
  ms: updatedAt * 1_000,
  label: 'disabled',
  // A later change of another setting has the same effect on the time.
  text: 'Disabled; its last change was at',
});

type WebhookState = Pick<Webhook, 'active' | 'disabled_reason' | 'failing_since_ms' | 'last_attempt' | 'updated_at'>;

/** The service does not store when a webhook went off by itself: it was at its last attempt. */
export function webhookMarks(webhook: WebhookState): readonly Mark[] {
  const { active, disabled_reason: reason, failing_since_ms: failing, last_attempt: last } = webhook;
  const marks: Mark[] = failing === null ? [] : [{ ms: failing, label: 'failing', text: 'Failing since' }];
  if (active) return marks;
  if (reason === 'owner' || last === null) return [...marks, disabled(webhook.updated_at)];
  const text = reason === 'gone' ? 'Off since it answered 410 Gone at' : 'Off since';
  return [...marks, { ms: last.at_ms, label: 'off', text }];
}

interface SourceState {
  state: SourceItem['state'];
  errorMs: number | null;
}

export function sourceMarks(
  { updated_at: at }: Pick<Source, 'updated_at'>,
  { state, errorMs }: SourceState,
): readonly Mark[] {
  if (state === 'disabled') return [disabled(at)];
  if (state !== 'failed') return [];
  return [{ ms: errorMs ?? at * 1_000, label: 'off', text: 'Off since a hook failed at' }];
}
