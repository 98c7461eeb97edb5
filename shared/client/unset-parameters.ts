import { TributaryError } from './tributary-error.ts';

interface RemovalInit {
  params?: { query?: Readonly<Record<string, unknown>> };
  body?: unknown;
}

/**
 * Refuses parameters that are given without a value: they would not be sent, and a removal without them removes more.
 */
export function refuseUnsetParameters(path: string, { params, body }: RemovalInit = {}): void {
  const members = [...Object.entries(params?.query ?? {}), ...Object.entries(Object(body))];
  const [name] = members.find(([, value]) => value === undefined || value === null) ?? [];
  if (name === undefined) return;
  throw new TributaryError(
    `DELETE ${path}: ${name} has no value. Without it more would be removed: give it a value, or leave it out.`,
    { kind: 'invalid', code: 'invalid_request', details: [{ path: name, message: 'has no value' }] },
  );
}
