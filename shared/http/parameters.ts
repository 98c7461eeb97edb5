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
import { EmitterGlob } from '../domain/subscription.ts';
import { LONGEST, plainText } from '../domain/text.ts';

const NAMES: Partial<Record<IdKind, string>> = {
  source: 'a source',
  workflow: 'a workflow',
  webhook: 'a webhook',
  component: 'a component',
};

/** An id of a wrong kind is the caller's mistake; one of the right kind that cannot exist is merely unknown. */
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

const integerText = /^\d{1,9}$/;
const LIMIT = { least: 1, most: 100, standard: 10 };

const limitOf = (standard: number) =>
  z
    .string()
    .refine(
      (text) => integerText.test(text) && Number(text) >= LIMIT.least && Number(text) <= LIMIT.most,
      `must be an integer from ${LIMIT.least} to ${LIMIT.most}`,
    )
    .transform(Number)
    .default(standard)
    .meta({ jsonSchema: { type: 'integer', minimum: LIMIT.least, maximum: LIMIT.most, default: standard } });

export const Limit = limitOf(LIMIT.standard);
/** Of the one list of events that has no pages. */
export const WholeLimit = limitOf(LIMIT.most);

const CURSORS_EXCLUDE = 'must not be given together with before';
const oneDirection = ({ after, before }: { after?: unknown; before?: unknown }) =>
  after === undefined || before === undefined;

const Cursor = plainText(LONGEST.cursor);
/** Which page of a list. */
const PageInput = z
  .object({ limit: Limit, after: Cursor.optional(), before: Cursor.optional() })
  .refine(oneDirection, { path: ['after'], message: CURSORS_EXCLUDE });

const SearchText = plainText(LONGEST.search).meta({
  description: 'Only items whose id, slug, name or URL contains this text, ignoring case.',
});
/** Which page of a list that can be searched. */
export const SearchPageInput = PageInput.safeExtend({ q: SearchText.optional() });

/** For events every well-formed id is a position, whether or not there is such an event. */
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
