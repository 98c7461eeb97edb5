import * as z from 'zod';
import { CommandFailure } from './failures.ts';

/** The API's error object; loose, so that `--json` prints every member. */
const ApiError = z.looseObject({
  error: z.string(),
  code: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
/** API Gateway's own answers, for example to too many requests. */
const GatewayError = z.looseObject({ message: z.string() });

/** The failure of a refusal; undefined if the body is neither the service's nor its gateway's. */
export function failureOf(status: number, body: unknown): CommandFailure | undefined {
  const own = ApiError.safeParse(body);
  if (own.success) return new CommandFailure(1, own.data);
  const gateways = GatewayError.safeParse(body);
  if (!gateways.success) return undefined;
  const error = `The service's gateway answered ${status}: ${gateways.data.message}.`;
  return new CommandFailure(1, { error, code: `http_${status}` });
}

/** The sentence, the fields that it does not name, and a mend. */
export function failureText({ report }: CommandFailure): string {
  const { error, code, details = [] } = report;
  const more = details
    .filter(({ message }) => !error.includes(message))
    .map(({ path, message }) => (path === '' ? `  ${message}` : `  ${path}: ${message}`));
  const mend = code === 'unauthenticated' ? ['Run tributary login, or set TRIBUTARY_API_KEY.'] : [];
  return [error, ...more, ...mend].join('\n');
}
