import * as z from 'zod';

/** How `body` of an HTTP event follows from its `bodyRaw`: parsed as JSON, or the same text. */
export const BodyForm = z.enum(['json', 'text']);
export type BodyForm = z.infer<typeof BodyForm>;

/**
 * A run's event on its way to the component, as JSON text. It has no `body` when that follows from `bodyRaw`: a large
 * body travels once.
 */
export interface CarriedEvent {
  json: string;
  body?: BodyForm | undefined;
}

const WithBodyRaw = z.object({ bodyRaw: z.string() });

/** The JSON text of the whole event. The text of a JSON body is inserted unchanged. */
export function wholeEvent({ json, body }: CarriedEvent): string {
  if (body === undefined) return json;
  const { bodyRaw } = WithBodyRaw.parse(JSON.parse(json));
  return `${json.slice(0, -1)},"body":${body === 'json' ? bodyRaw.trim() : JSON.stringify(bodyRaw)}}`;
}
