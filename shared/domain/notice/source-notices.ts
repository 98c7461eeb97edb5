import type { RunError } from '../run/run.ts';
import type { HookFailure, Source } from '../source/source.ts';
import type { Notice } from './notice.ts';

type Described = Pick<Source, 'id' | 'ownerId'>;

export const failedNotice = (
  { id, ownerId, configuration }: Described & Pick<Source, 'configuration'>,
  { hook, message }: HookFailure,
  now: number,
): Notice => ({
  name: 'source.failed',
  ownerId,
  subject: { id, name: configuration.name },
  what: withReason(hook === undefined ? 'A hook failed' : `The hook ${hook} failed`, message),
  since: now,
});

/** The notice of the first run of a source that failed after an hour without. */
export const errorsNotice = (
  { id, ownerId, name }: Described & { name: string },
  error: Pick<RunError, 'message'> | undefined,
  now: number,
): Notice => ({
  name: 'source.errors',
  ownerId,
  subject: { id, name },
  what: withReason('A run failed', error?.message),
  since: now,
});

/** The notice that the oldest trigger of a source has waited for minutes. */
export const behindNotice = (
  { id, ownerId, configuration }: Described & Pick<Source, 'configuration'>,
  oldestAt: number,
): Notice => ({
  name: 'source.behind',
  ownerId,
  subject: { id, name: configuration.name },
  what: 'It is behind: its oldest trigger has waited for 5 minutes or longer.',
  since: oldestAt,
});

const withReason = (text: string, reason: string | undefined): string => (reason ? `${text}: ${reason}` : `${text}.`);
