import * as z from 'zod';
import { ServiceError } from '../domain/errors.ts';
import { EventId } from '../domain/event-id.ts';
import {
  ComponentId,
  type IdKind,
  ListenerId,
  prefixes,
  SourceId,
  WebhookId,
  WorkflowId,
} from '../domain/id.ts';
import { isPublic } from '../domain/stream.ts';
import { EmitterGlob } from '../domain/subscription.ts';
import { EventName, LONGEST, plainText } from '../domain/text.ts';

const NAMES: Partial<Record<IdKind, string>> = {
  source: 'a source',
  workflow: 'a workflow',
  webhook: 'a webhook',
  component: 'a component',
};

/** An id of a wrong kind is a 400; a malformed id of the right kind is a 404, like an unknown one. */
function idOf<Schema extends z.ZodType>(
  kinds: readonly IdKind[],
  schema: Schema,
  globs: readonly string[] = [],
) {
  const starts = kinds.map((kind) => `${prefixes[kind]}_`);
  const allowed = [...kinds.map((kind) => `${NAMES[kind]} (${prefixes[kind]}_…)`), ...globs].join(', ');
  return z
    .string()
    .refine(
      (text) =>
        globs.includes(text) || (!text.includes('*') && starts.some((start) => text.startsWith(start))),
      {
        message: `must be the id of ${allowed.replace(/, ([^,]*)$/, ' or $1')}`,
        abort: true,
      },
    )
    .transform((text): z.output<Schema> => {
      const parsed = schema.safeParse(text);
      if (parsed.success) return parsed.data;
      throw new ServiceError('not_found', 'not_found', `There is no ${text.slice(0, 100)}.`);
    });
}

export const SourceIdParameter = idOf(['source'], SourceId);
export const ComponentIdParameter = idOf(['component'], ComponentId);
export const WorkflowIdParameter = idOf(['workflow'], WorkflowId);
export const WebhookIdParameter = idOf(['webhook'], WebhookId);
export const ListenerIdParameter = idOf(['source', 'workflow', 'webhook'], ListenerId);
export const EmitterParameter = idOf(
  ['source', 'workflow'],
  z.union([EmitterGlob, SourceId, WorkflowId]),
  EmitterGlob.options,
);

/** A stream name in a request. Refuses reserved names, because a typo such as `$error` would select a stream that stays empty. */
export const StreamParameter = EventName.refine(
  isPublic,
  'must not begin with $, but for the streams $errors and $logs',
);

const integerText = /^\d{1,9}$/;
const LIMIT = { min: 1, max: 100, default: 10 };

const limitOf = (defaultLimit: number) =>
  z
    .string()
    .refine(
      (text) => integerText.test(text) && Number(text) >= LIMIT.min && Number(text) <= LIMIT.max,
      `must be an integer from ${LIMIT.min} to ${LIMIT.max}`,
    )
    .transform(Number)
    .default(defaultLimit)
    .meta({ jsonSchema: { type: 'integer', minimum: LIMIT.min, maximum: LIMIT.max, default: defaultLimit } });

const Limit = limitOf(LIMIT.default);
/** Limit of the legacy event list, which has no pages: defaults to all events. */
export const WholeLimit = limitOf(LIMIT.max);

const CURSORS_EXCLUDE = 'must not be used together with before';
const oneDirection = ({ after, before }: { after?: unknown; before?: unknown }) =>
  after === undefined || before === undefined;

const Cursor = plainText(LONGEST.cursor);
/** Limit and cursors of a list. */
const PageInput = z
  .object({ limit: Limit, after: Cursor.optional(), before: Cursor.optional() })
  .refine(oneDirection, { path: ['after'], message: CURSORS_EXCLUDE });

const SearchText = plainText(LONGEST.search).meta({
  description: 'Only items whose id, slug, name or URL contains this text, ignoring case.',
});
/** Limit, cursors and search text of a list. */
export const SearchPageInput = PageInput.safeExtend({ q: SearchText.optional() });

/** Every well-formed event id is a cursor, also when no such event is stored. */
const EventCursor = plainText(LONGEST.cursor).transform((text, context) => {
  const parsed = EventId.safeParse(text);
  if (parsed.success) return parsed.data;
  context.addIssue({
    code: 'custom',
    message: 'must be the id of an event: <epoch-milliseconds>-<sequence>',
    params: { code: 'invalid_cursor' },
  });
  return z.NEVER;
});

const Expand = z.enum(['event']);

export const EventPage = z
  .object({
    limit: Limit,
    after: EventCursor.optional(),
    before: EventCursor.optional(),
    expand: Expand.optional(),
  })
  .refine(oneDirection, { path: ['after'], message: CURSORS_EXCLUDE });

/** Values by name. Not `z.record`, which would copy them and drop names such as `__proto__`. */
export const ValuesByName = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .meta({ jsonSchema: { type: 'object' } });
