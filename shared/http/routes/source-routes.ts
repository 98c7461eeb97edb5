import * as z from 'zod';
import { hasSelector } from '../../service/components/select-component.ts';
import { EventId } from '../../domain/event-id.ts';
import { Name } from '../../domain/text.ts';
import {
  ComponentIdParameter,
  EventPage,
  SearchPageInput,
  SourceIdParameter,
  StreamParameter,
  ValuesByName,
  WholeLimit,
} from '../parameters.ts';
import { route } from '../route.ts';
import {
  EventSummaryResponse,
  LegacyEventResponse,
  SourceListResponse,
  SourceResponse,
  TriggerResponse,
} from '../responses.ts';
import { Code, ComponentUrl } from './component-routes.ts';

const ById = z.object({ id: SourceIdParameter });

const Selectors = z.object({
  component_id: ComponentIdParameter.nullish(),
  component_code: Code,
  component_url: ComponentUrl,
});

const NewSource = Selectors.extend({
  name: Name.optional(),
  configured_props: ValuesByName.optional(),
}).refine(hasSelector, {
  path: ['component_id'],
  message: 'is required unless component_code or component_url is given',
});

const SourceUpdate = Selectors.extend({
  name: Name.optional(),
  configured_props: ValuesByName.optional(),
  active: z.boolean().optional(),
}).refine(
  (update) =>
    hasSelector(update) ||
    update.name !== undefined ||
    update.configured_props !== undefined ||
    update.active !== undefined,
  {
    path: [],
    message:
      'one of component_id, component_code, component_url, name, configured_props and active is required',
  },
);

const common = { group: 'sources', parameters: ById } as const;

export const sources = {
  listSources: route({
    ...common,
    method: 'GET',
    path: '/v1/users/me/sources',
    summary: 'Your sources, newest first.',
    parameters: z.object({}),
    input: SearchPageInput,
    envelope: 'page',
    data: SourceListResponse,
  }),
  createSource: route({
    ...common,
    method: 'POST',
    path: '/v1/sources',
    summary: 'Deploys a component as a new source.',
    parameters: z.object({}),
    input: NewSource,
    envelope: 'single',
    data: SourceResponse,
    errors: [404, 409],
  }),
  getSource: route({
    ...common,
    method: 'GET',
    path: '/v1/sources/{id}',
    summary: 'One source.',
    input: z.object({}),
    envelope: 'single',
    data: SourceResponse,
    isExtension: true,
  }),
  updateSource: route({
    ...common,
    method: 'PUT',
    path: '/v1/sources/{id}',
    summary: 'Changes code, name, props or activity of a source.',
    input: SourceUpdate,
    envelope: 'single',
    data: SourceResponse,
    errors: [409],
  }),
  deleteSource: route({
    ...common,
    method: 'DELETE',
    path: '/v1/sources/{id}',
    summary: 'Removes a source and what it owns.',
    input: z.object({}),
    envelope: 'none',
  }),
  runSource: route({
    ...common,
    method: 'POST',
    path: '/v1/sources/{id}/run',
    summary: 'Runs a source once; the body is the event of the run.',
    input: z.object({}),
    from: 'event',
    envelope: 'single',
    data: TriggerResponse,
    errors: [429],
    isExtension: true,
  }),
  listSourceEventSummaries: route({
    ...common,
    method: 'GET',
    path: '/v1/sources/{id}/event_summaries',
    summary: 'The last events of a source, newest first.',
    input: EventPage.safeExtend({ event_name: StreamParameter.optional() }),
    envelope: 'page',
    data: EventSummaryResponse,
  }),
  listSourceEvents: route({
    ...common,
    method: 'GET',
    path: '/v1/sources/{id}/events',
    summary: 'The last events of a source in the legacy format.',
    input: z.object({ limit: WholeLimit, event_name: StreamParameter.optional() }),
    envelope: 'list',
    data: LegacyEventResponse,
    isExtension: true,
  }),
  deleteSourceEvents: route({
    ...common,
    method: 'DELETE',
    path: '/v1/sources/{id}/events',
    summary: 'Deletes events of a source asynchronously.',
    input: z.object({
      start_id: EventId.optional(),
      end_id: EventId.optional(),
      event_name: StreamParameter.optional(),
    }),
    from: 'both',
    envelope: 'accepted',
  }),
};
