import * as z from 'zod';
import { cut } from '../lib/cut.ts';
import { LONGEST_MINUTES } from '../domain/user/activity.ts';
import { ServiceError } from '../domain/errors.ts';
import { EventId } from '../domain/event/event-id.ts';
import { FilterInput } from '../domain/event/event-pattern/event-filter.ts';
import {
  AccountId,
  ApiKeyId,
  ComponentId,
  SignInId,
  type IdKind,
  ListenerId,
  prefixes,
  SourceId,
  WebhookId,
  WorkflowId,
} from '../domain/id.ts';
import { isPublic, PUBLIC_STREAM_RULE } from '../domain/event/stream.ts';
import { SUBSCRIPTION_TEXTS } from '../domain/setting-texts.ts';
import { EmitterGlob } from '../domain/subscription/subscription.ts';
import { Tag } from '../domain/tags.ts';
import { EventName, LONGEST, plainText } from '../domain/text.ts';

const NAMES: Partial<Record<IdKind, string>> = {
  source: 'a source',
  workflow: 'a workflow',
  webhook: 'a webhook',
  component: 'a component',
  delivery: 'a delivery',
  account: 'an account',
  signIn: 'a sign-in of an account',
  apiKey: 'a key',
};

/** An id of a wrong kind is a 400; a malformed id of the right kind is a 404, like an unknown one. */
export function idOf<Schema extends z.ZodType>(
  kinds: readonly IdKind[],
  schema: Schema,
  globs: readonly string[] = [],
) {
  const starts = kinds.map((kind) => `${prefixes[kind]}_`);
  const allowed = [...kinds.map((kind) => `${NAMES[kind]} (${prefixes[kind]}_…)`), ...globs].join(', ');
  return z
    .string()
    .refine((text) => globs.includes(text) || (!text.includes('*') && starts.some((start) => text.startsWith(start))), {
      message: `must be the id of ${allowed.replace(/, ([^,]*)$/, ' or $1')}`,
      abort: true,
    })
    .transform((text): z.output<Schema> => {
      const parsed = schema.safeParse(text);
      if (parsed.success) return parsed.data;
      throw new ServiceError('not_found', `There is no ${cut(text, 100)}.`);
    })
    .meta({ jsonSchema: schema });
}

export const SourceIdParameter = idOf(['source'], SourceId).describe('The id of the source.');
export const ComponentIdParameter = idOf(['component'], ComponentId).describe(
  'The id of a component of yours, or of a published one.',
);
export const WorkflowIdParameter = idOf(['workflow'], WorkflowId).describe('The id of the workflow.');
export const WebhookIdParameter = idOf(['webhook'], WebhookId).describe('The id of the webhook.');
export const AccountIdParameter = idOf(['account'], AccountId).describe('The id of the account.');
export const ApiKeyIdParameter = idOf(['apiKey'], ApiKeyId).describe('The id of the key.');
export const SignInIdParameter = idOf(['signIn'], SignInId).describe('The id of the sign-in.');
export const ListenerIdParameter = idOf(['source', 'workflow', 'webhook'], ListenerId).describe(
  'The id of the receiving source, workflow or webhook.',
);
export const TriggerIdParameter = z
  .string()
  .describe('The id of the trigger: what `POST /sources/{id}/run` answered, or `run_id` of an event on `$logs`.');
export const EventIdParameter = EventId.describe('The id of the event.');
export const EmitterParameter = idOf(
  ['source', 'workflow'],
  z.union([EmitterGlob, SourceId, WorkflowId]),
  EmitterGlob.options,
).describe('The id of the emitting source or workflow; `dc_*` is all of your sources, `p_*` all of your workflows.');

/**
 * A stream name in a request. Refuses reserved names, because a typo such as `$error` would select a stream that stays
 * empty.
 */
export const StreamParameter = EventName.refine(isPublic, PUBLIC_STREAM_RULE).describe(
  'The stream: `$errors`, `$logs`, or a name that a component emits on. Empty and `default` are the default stream.',
);

const integerText = /^\d{1,9}$/;

/** An integer of a query, from 1. */
const upTo = (maximum: number, defaultNumber: number, description: string) =>
  z
    .string()
    .refine(
      (text) => integerText.test(text) && Number(text) >= 1 && Number(text) <= maximum,
      `must be an integer from 1 to ${maximum}`,
    )
    .transform(Number)
    .default(defaultNumber)
    .meta({ description, jsonSchema: { type: 'integer', minimum: 1, maximum, default: defaultNumber } });

const LIMIT = { max: 100, default: 10 };
const limitOf = (defaultLimit: number) => upTo(LIMIT.max, defaultLimit, 'The number of items of a page.');

export const Minutes = upTo(LONGEST_MINUTES, 60, 'The number of minutes, up to now.');

const Limit = limitOf(LIMIT.default);
/** `n` of the legacy event list, which has no pages. */
export const EventCount = limitOf(LIMIT.default).describe('How many of the newest events.');

const pageOf = <Cursor extends z.ZodType>(cursor: Cursor) =>
  z
    .object({
      limit: Limit,
      after: cursor.describe('A cursor of an earlier page: the items after it, further down the list.').optional(),
      before: cursor.describe('A cursor of an earlier page: the items nearest above it.').optional(),
    })
    .refine(({ after, before }) => after === undefined || before === undefined, {
      path: ['after'],
      message: 'must not be used together with before',
    });

/** Limit and cursors of a list. */
export const PageInput = pageOf(plainText(LONGEST.cursor));

const SearchText = plainText(LONGEST.search).describe(
  'Only items whose id, slug, name, app or URL contains this text, ignoring case.',
);
/** Limit, cursors and search text of a list. */
const SearchPageInput = PageInput.safeExtend({ q: SearchText.optional() });

/** The same, for lists of things with tags. */
export const TaggedPageInput = SearchPageInput.safeExtend({
  tag: Tag.optional().describe('Only items with this tag.'),
});

export const AccountPageInput = SearchPageInput.safeExtend({
  app: plainText(LONGEST.name).optional().describe('Only accounts of the app with this slug.'),
});

export const AppSearchInput = z.object({
  q: plainText(LONGEST.search).optional().describe('Only apps whose slug contains this text, ignoring case.'),
});

/** Text in a query, a boolean in a body; false is the default. */
export const Flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
    error: 'must be true or false',
  })
  .meta({ jsonSchema: { type: 'boolean', default: false } });

export const ComponentPageInput = SearchPageInput.safeExtend({
  published: Flag.default(false).describe(
    'Whether the list has the components that the operator published, instead of yours. `q` also looks in their descriptions and apps.',
  ),
});

const SourceStateParameter = z.enum(['creating', 'activating', 'active', 'failed', 'disabled']);
export const SourcePageInput = TaggedPageInput.safeExtend({
  state: SourceStateParameter.optional().describe('Only sources in this state.'),
});

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

export const Expand = z.enum(['event']).describe('`event`: the data of every event whole.');

/** An object in a body, its JSON text in a query. */
export const FilterParameter = FilterInput.optional().meta({
  description: SUBSCRIPTION_TEXTS.filter,
  jsonSchema: { type: ['object', 'null'], additionalProperties: true },
});
/** The JSON text of a pattern, in a query. */
export const FilterTextParameter = FilterInput.optional().meta({
  description: SUBSCRIPTION_TEXTS.filter,
  jsonSchema: { type: 'string' },
});

export const EventPage = pageOf(EventCursor).safeExtend({ expand: Expand.optional(), filter: FilterTextParameter });

/** Values by name. Not `z.record`, which would copy them and drop names such as `__proto__`. */
export const ValuesByName = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .meta({
    description: 'Values by name.',
    jsonSchema: { type: 'object', additionalProperties: true },
  });
