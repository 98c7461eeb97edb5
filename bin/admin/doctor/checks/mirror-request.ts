import * as z from 'zod';
import type { Subject } from '../doctor-subject.ts';
import { Refuted } from './claim.ts';

const MirrorResponse = z.object({
  path: z.string(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.unknown()),
  isBase64Encoded: z.boolean().optional(),
  answer: z.unknown().optional(),
});
type MirrorResponse = z.output<typeof MirrorResponse>;

/** Sends a request to the endpoint of a mirror, and returns what the component saw of it. */
export async function mirrored(
  subject: Subject,
  path: string,
  { n = 0, ...init }: RequestInit & { n?: 0 | 1 } = {},
): Promise<MirrorResponse> {
  const { endpoint } = await subject.mirror(n);
  const response = await fetch(`${endpoint}${path}`, { ...init, signal: AbortSignal.timeout(40_000) });
  const text = await response.text();
  const { success, data } = MirrorResponse.safeParse(parsed(text));
  if (success) return data;
  throw new Refuted(`${init.method ?? 'GET'} ${path} answered ${response.status} instead of the event`);
}

/** The response of the mirror to a question. */
export const readProbe = async <Schema extends z.ZodType>(
  subject: Subject,
  ask: string,
  { n = 0, schema }: { n?: 0 | 1; schema: Schema },
): Promise<z.output<Schema>> => schema.parse((await mirrored(subject, `?ask=${ask}`, { n })).answer);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
