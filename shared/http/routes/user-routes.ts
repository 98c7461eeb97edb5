import * as z from 'zod';
import { route } from '../route.ts';
import { UserResponse } from '../responses.ts';

export const users = {
  getUser: route({
    group: 'users',
    method: 'GET',
    path: '/v1/users/me',
    summary: 'The user of the API key.',
    parameters: z.object({}),
    input: z.object({}),
    envelope: 'single',
    data: UserResponse,
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
};
