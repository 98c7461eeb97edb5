import * as z from 'zod';
import { route } from '../route.ts';
import { AuditPage } from '../audit/audit-parameters.ts';
import { MetricsInput } from '../metrics/metric-parameters.ts';
import { Minutes } from '../parameters.ts';

const extension = { group: 'users', isExtension: true } as const;

export const users = {
  getUser: route('GET', '/v1/users/me', {
    group: 'users',
    summary: 'The user of the API key.',
    data: 'User',
  }),
  getActivity: route('GET', '/v1/users/me/activity', {
    ...extension,
    summary: 'Runs, events, errors and delivery attempts of each of the last minutes, oldest first.',
    input: z.object({ minutes: Minutes }),
    envelope: 'list',
    data: 'Activity',
  }),
  getNotices: route('GET', '/v1/users/me/notices', {
    ...extension,
    summary:
      'The emitter of your notices: what fails, is off, works again or waits. Subscribe to its streams and read them as those of a source.',
    data: 'Notices',
  }),
  getAudit: route('GET', '/v1/users/me/audit', {
    ...extension,
    summary:
      'Changes of the last 90 days by keys and by the operator, newest first, at most 10,000. A request looks through 1,000 entries: with a filter a page may be short or empty while `end_cursor` leads on. `total_count` counts those of the newest 1,000.',
    input: AuditPage,
    envelope: 'page',
    data: 'AuditEntry',
  }),
  getMetrics: route('GET', '/v1/users/me/metrics', {
    ...extension,
    summary: 'One measure of a source or webhook, or of several, by minute, hour or day, oldest first.',
    input: MetricsInput,
    envelope: 'list',
    data: 'Metric',
    errors: [404],
  }),
  getOpenApi: route('GET', '/openapi.json', {
    group: 'users',
    summary: 'This document.',
    envelope: 'document',
    isPublic: true,
  }),
  getDocs: route('GET', '/docs', {
    group: 'users',
    summary: 'This document as a page for people.',
    envelope: 'html',
    isPublic: true,
  }),
};
