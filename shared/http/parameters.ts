import * as z from 'zod';
import { cut } from '../lib/cut.ts';
import { LONGEST_MINUTES } from '../domain/user/activity.ts';
import { ServiceError } from '../domain/errors.ts';
import { EventId } from '../domain/event/event-id.ts';
import { FilterInput } from '../domain/event/event-pattern/event-filter.ts';
import {
  AccountId,
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
import { EventName, LONGEST, plainText } from '../domain/text.ts';

const NAMES: Partial<Record<IdKind, string>> = {
  source: 'a source',
  workflow: 'a workflow',
  webhook: 'a webhook',
  component: 'a component',
  delivery: 'a delivery',
  account: 'an account',
  signIn: 'a sign-in of an account',
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
      throw new ServiceError('not_found', 'not_found', `There is no ${cut(text, 100)}.`);
    })
    .meta({ jsonSchema: schema });
}

export const SourceIdParameter = idOf(['source'], SourceId).meta({ description: 'The id of the source.' });
export const ComponentIdParameter = idOf(['component'], ComponentId).meta({
  description: 'The id of a component of yours, or of a published one.',
});
export const WorkflowIdParameter = idOf(['workflow'], WorkflowId).meta({
  description: 'The id of the workflow.',
});
export const WebhookIdParameter = idOf(['webhook'], WebhookId).meta({
  description: 'The id of the webhook.',
});
export const AccountIdParameter = idOf(['account'], AccountId).meta({
  description: 'The id of the account.',
});
export const SignInIdParameter = idOf(['signIn'], SignInId).meta({
  description: 'The id of the sign-in.',
});
export const ListenerIdParameter = idOf(['source', 'workflow', 'webhook'], ListenerId).meta({
  description: 'The id of the receiving source, workflow or webhook.',
});
export const TriggerIdParameter = z.string().meta({
  description: 'The id of the trigger: what `POST /sources/{id}/run` answered, or `run_id` of an event on `$logs`.',
});
export const EventIdParameter = EventId.describe('The id of the event.');
export const EmitterParameter = idOf(
  ['source', 'workflow'],
  z.union([EmitterGlob, SourceId, WorkflowId]),
  EmitterGlob.options,
).meta({
  description: 'The id of the emitting source or workflow; `dc_*` is all of your sources, `p_*` all of your workflows.',
});

/**
 * A stream name in a request. Refuses reserved names, because a typo such as `$error` would select a stream that stays
 * empty.
 */
export const StreamParameter = EventName.refine(isPublic, PUBLIC_STREAM_RULE).meta({
  description:
    'The stream: `$errors`, `$logs`, or a name that a component emits on. Empty and `default` are the default stream.',
});

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

const CURSORS_EXCLUDE = 'must not be used together with before';
const oneDirection = ({ after, before }: { after?: unknown; before?: unknown }) =>
  after === undefined || before === undefined;

const DIRECTIONS = {
  after: 'A cursor of an earlier page: the items after it, further down the list.',
  before: 'A cursor of an earlier page: the items nearest above it.',
};
const Cursor = plainText(LONGEST.cursor);
/** Limit and cursors of a list. */
export const PageInput = z
  .object({
    limit: Limit,
    after: Cursor.describe(DIRECTIONS.after).optional(),
    before: Cursor.describe(DIRECTIONS.before).optional(),
  })
  .refine(oneDirection, { path: ['after'], message: CURSORS_EXCLUDE });

const SearchText = plainText(LONGEST.search).meta({
  description: 'Only items whose id, slug, name, app or URL contains this text, ignoring case.',
});
/** Limit, cursors and search text of a list. */
export const SearchPageInput = PageInput.safeExtend({ q: SearchText.optional() });

export const AccountPageInput = SearchPageInput.safeExtend({
  app: plainText(LONGEST.name).optional().meta({ description: 'Only accounts of the app with this slug.' }),
});

export const AppSearchInput = z.object({
  q: plainText(LONGEST.search)
    .optional()
    .meta({ description: 'Only apps whose slug contains this text, ignoring case.' }),
});

/** Text in a query, a boolean in a body; false is the default. */
export const Flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
    error: 'must be true or false',
  })
  .meta({ jsonSchema: { type: 'boolean', default: false } });

export const ComponentPageInput = SearchPageInput.safeExtend({
  published: Flag.default(false).meta({
    description:
      'Whether the list has the components that the operator published, instead of yours. `q` also looks in their descriptions and apps.',
  }),
});

const SourceStateParameter = z.enum(['creating', 'activating', 'active', 'failed', 'disabled']);
export const SourcePageInput = SearchPageInput.safeExtend({
  state: SourceStateParameter.optional().meta({ description: 'Only sources in this state.' }),
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

export const EventPage = z
  .object({
    limit: Limit,
    after: EventCursor.describe(DIRECTIONS.after).optional(),
    before: EventCursor.describe(DIRECTIONS.before).optional(),
    expand: Expand.optional(),
    filter: FilterTextParameter,
  })
  .refine(oneDirection, { path: ['after'], message: CURSORS_EXCLUDE });

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
