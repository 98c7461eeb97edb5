import * as z from 'zod';
import type { Workflow } from './workflow.ts';
import { IsoTime } from '../../lib/iso-time.ts';
import { JsonText, toJson } from '../../lib/json-text.ts';
import { VERSION } from '../version.ts';

/** An error report of a workflow; missing fields are filled in. */
export const WorkflowErrorReport = z.object({
  original_event: z.unknown().refine((event) => event !== undefined, 'is required'),
  original_context: z
    .object({
      id: z.string(),
      ts: IsoTime,
      deployment_id: z.string(),
      source_type: z.string(),
      verified: z.boolean(),
      platform_version: z.string(),
    })
    .partial()
    .nullish(),
  error: z.object({
    code: z.string(),
    stack: z.string(),
    cellId: z.string().nullish(),
    ts: IsoTime.nullish(),
    message: z.string().optional(),
  }),
});
export type WorkflowErrorReport = z.infer<typeof WorkflowErrorReport>;

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The event of the workflow's `$errors` stream, as JSON text. */
export function workflowErrorEvent(
  { original_event: event, original_context: context, error }: WorkflowErrorReport,
  workflow: Pick<Workflow, 'id' | 'ownerId'>,
  { triggerId, now }: { triggerId: string; now: number },
): string {
  const ts = new Date(now).toISOString();
  return toJson({
    original_event: new JsonText(JSON.stringify(isObject(event) ? event : { raw_event: event })),
    original_context: {
      id: context?.id ?? triggerId,
      ts: context?.ts ?? ts,
      workflow_id: workflow.id,
      deployment_id: context?.deployment_id ?? '',
      source_type: context?.source_type ?? '',
      verified: context?.verified ?? false,
      owner_id: workflow.ownerId,
      platform_version: context?.platform_version ?? VERSION,
    },
    error: {
      code: error.code,
      cellId: error.cellId ?? '',
      ts: error.ts ?? ts,
      stack: error.stack,
      message: error.message,
    },
  });
}
