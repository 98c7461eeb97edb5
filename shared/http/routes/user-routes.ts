import * as z from 'zod';
import { route } from '../route.ts';
import { MetricsInput } from '../metrics/metric-parameters.ts';
import { Minutes } from '../parameters.ts';

export const users = {
  getUser: route({
    group: 'users',
    method: 'GET',
    path: '/v1/users/me',
    summary: 'The user of the API key.',
    parameters: z.object({}),
    input: z.object({}),
    envelope: 'single',
    data: 'User',
  }),
  getActivity: route({
    group: 'users',
    method: 'GET',
    path: '/v1/users/me/activity',
    summary: 'Runs, events, errors and delivery attempts of each of the last minutes, oldest first.',
    parameters: z.object({}),
    input: z.object({ minutes: Minutes }),
    envelope: 'list',
    data: 'Activity',
    isExtension: true,
  }),
  getNotices: route({
    group: 'users',
    method: 'GET',
    path: '/v1/users/me/notices',
    summary:
      'The emitter of your notices: what fails, is off, works again or waits. Subscribe to its streams and read them as those of a source.',
    parameters: z.object({}),
    input: z.object({}),
    envelope: 'single',
    data: 'Notices',
    isExtension: true,
  }),
  getMetrics: route({
    group: 'users',
    method: 'GET',
    path: '/v1/users/me/metrics',
    summary: 'One measure of a source or webhook, or of several, by minute, hour or day, oldest first.',
    parameters: z.object({}),
    input: MetricsInput,
    envelope: 'list',
    data: 'Metric',
    isExtension: true,
    errors: [404],
  }),
  getOpenApi: route({
    group: 'users',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document.',
    parameters: z.object({}),
    input: z.object({}),
    envelope: 'document',
    isPublic: true,
  }),
  getDocs: route({
    group: 'users',
    method: 'GET',
    path: '/docs',
    summary: 'This document as a page for people.',
    parameters: z.object({}),
    input: z.object({}),
    envelope: 'html',
    isPublic: true,
  }),
};
