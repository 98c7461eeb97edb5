import * as z from 'zod';
import { UserId } from '../../shared/domain/id.ts';
import { one } from '../../shared/http/api-response.ts';
import { createApiHandler, operation } from '../../shared/http/http.ts';
import { createLog } from '../../shared/lambda/log.ts';
import { route } from '../../shared/http/route.ts';

/** An endpoint with methods of zod that no schema of functions uses, as the entry of one bundle. */
const echo = route('POST', '/v1/webhooks', {
  group: 'webhooks',
  summary: 'Echo',
  input: z.strictObject({
    name: z.string().trim().toUpperCase().startsWith('A'),
    tags: z.record(z.enum(['a', 'b']), z.number().positive().multipleOf(5)).readonly(),
    size: z.number().catch(1),
    site: z.templateLiteral(['https://', z.string()]),
  }),
});

export const handler = createApiHandler(
  { createWebhook: operation(echo, ({ input }) => one(input)) },
  {
    authenticate: () =>
      Promise.resolve({ userId: UserId.parse('u_abcdefg'), apiKey: 'key', keyHash: 'hash', scopes: ['manage'] }),
    log: createLog('error', 'echo'),
  },
);

export const parseLater = (text: string) =>
  z
    .string()
    .refine((value) => Promise.resolve(value === 'yes'))
    .safeParseAsync(text);
