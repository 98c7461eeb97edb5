import * as z from 'zod';
import { hasSelector } from '../../service/components/select-component.ts';
import { EventId } from '../../domain/event/event-id.ts';
import { LONGEST, plainText } from '../../domain/text.ts';
import { Instant } from '../delivery-parameters.ts';
import {
  ComponentIdParameter,
  EventCount,
  EventIdParameter,
  EventPage,
  SourceIdParameter,
  SourcePageInput,
  StreamParameter,
  TriggerIdParameter,
} from '../parameters.ts';
import { source } from '../openapi/examples.ts';
import { route } from '../route.ts';
import { sourceFields } from '../settings/source-settings.ts';
import { liveToken } from './live-routes.ts';
import { checkFiles, componentFields } from './component-routes.ts';

const ById = z.object({ id: SourceIdParameter });

const Selectors = z.object({
  component_id: ComponentIdParameter.nullish(),
  ...componentFields,
  key: plainText(LONGEST.name)
    .min(1, 'must not be empty')
    .describe('The key of a component: the newest of yours, else the one in the registry. The other selectors win.')
    .nullish(),
});

const NewSource = Selectors.extend(sourceFields)
  .omit({ active: true })
  .superRefine(checkFiles)
  .refine(hasSelector, {
    path: ['component_id'],
    message: 'is required unless component_code, component_url or key is given',
  });

const NAMES = Object.keys(sourceFields);

const SourceUpdate = Selectors.extend(sourceFields)
  .superRefine(checkFiles)
  .refine((update) => hasSelector(update) || NAMES.some((name) => Reflect.get(update, name) !== undefined), {
    path: [],
    message: `one of component_id, component_code, component_url, key, ${NAMES.join(', ').replace(/, (\w+)$/, ' and $1')} is required`,
  });

const common = { group: 'sources', parameters: ById } as const;
const extension = { ...common, isExtension: true } as const;

export const sources = {
  listSources: route('GET', '/v1/users/me/sources', {
    ...common,
    summary: 'Your sources, newest first.',
    parameters: z.object({}),
    input: SourcePageInput.safeExtend({
      failed_since: Instant.optional().meta({
        description:
          'Only sources with an event on `$errors` at this time or later, as epoch ms or ISO 8601, and those in the state `failed`.',
      }),
    }),
    envelope: 'page',
    data: 'SourceListItem',
  }),
  createSource: route('POST', '/v1/sources', {
    ...common,
    summary: 'Deploys a component as a new source.',
    parameters: z.object({}),
    input: NewSource,
    example: { component_id: source.component_id, configured_props: { salutation: 'Ahoy' }, tags: source.tags },
    data: 'Source',
    hasWarnings: true,
    errors: [404, 409],
  }),
  getSource: route('GET', '/v1/sources/{id}', {
    ...extension,
    summary: 'One source.',
    data: 'Source',
  }),
  updateSource: route('PUT', '/v1/sources/{id}', {
    ...common,
    summary: 'Changes code, name, props, tags or activity of a source.',
    input: SourceUpdate,
    example: { active: false },
    data: 'Source',
    hasWarnings: true,
    errors: [409],
  }),
  deleteSource: route('DELETE', '/v1/sources/{id}', {
    ...common,
    summary: 'Removes a source and what it owns.',
    envelope: 'none',
  }),
  runSource: route('POST', '/v1/sources/{id}/run', {
    ...extension,
    summary: 'Runs a source once; the body is the event of the run.',
    from: 'event',
    example: { name: 'Ada' },
    data: 'Trigger',
    errors: [429],
  }),
  getSourceRun: route('GET', '/v1/sources/{id}/runs/{trigger_id}', {
    ...extension,
    summary: 'The state of one run, by the id of its trigger.',
    parameters: ById.extend({ trigger_id: TriggerIdParameter }),
    data: 'Run',
  }),
  listSourceEventSummaries: route('GET', '/v1/sources/{id}/event_summaries', {
    ...common,
    summary: 'The last events of a source, newest first.',
    input: EventPage.safeExtend({ event_name: StreamParameter.optional() }),
    envelope: 'page',
    data: 'EventSummary',
  }),
  getSourceEvent: route('GET', '/v1/sources/{id}/events/{event_id}', {
    ...extension,
    summary: 'One event, whole, with its trigger and its deliveries to webhooks.',
    parameters: ById.extend({ event_id: EventIdParameter }),
    input: z.object({ event_name: StreamParameter.optional() }),
    data: 'Event',
  }),
  findEvents: route('GET', '/v1/users/me/events/{event_id}', {
    ...extension,
    summary:
      'The readable events with this id, of all your sources and workflows. Usually one: an id is unique within an emitter. Look-ups are limited by what they read.',
    errors: [429],
    parameters: z.object({ event_id: EventIdParameter }),
    envelope: 'list',
    data: 'EventSummary',
  }),
  listSourceEvents: route('GET', '/v1/sources/{id}/events', {
    ...extension,
    summary: 'The last events of a source in the legacy format.',
    input: z.object({ n: EventCount, event_name: StreamParameter.optional() }),
    envelope: 'list',
    data: 'LegacyEvent',
  }),
  createSourceToken: route('POST', '/v1/sources/{id}/sse_tokens', {
    ...common,
    ...liveToken,
  }),
  deleteSourceEvents: route('DELETE', '/v1/sources/{id}/events', {
    ...common,
    summary: 'Deletes events of a source asynchronously.',
    input: z.object({
      start_id: EventId.describe('The first event to delete. Default: the oldest.').optional(),
      end_id: EventId.describe('The last event to delete. Default: the newest.').optional(),
      event_name: StreamParameter.optional(),
    }),
    narrowing: ['start_id', 'end_id'],
    from: 'both',
    envelope: 'accepted',
  }),
  deleteSourceTriggers: route('DELETE', '/v1/sources/{id}/triggers', {
    ...extension,
    summary:
      'Drops the triggers that wait in the backlog of a source, asynchronously. Updates, deletions and triggers accepted after this request stay.',
    envelope: 'accepted',
  }),
  resetSourceDedupe: route('DELETE', '/v1/sources/{id}/dedupe', {
    ...extension,
    summary:
      'Begins the dedupe of a source anew, asynchronously: ids that it emitted before are new again. Requests and events that it accepted before are still deduplicated.',
    envelope: 'accepted',
  }),
};
