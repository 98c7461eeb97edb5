import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { bearerToken } from '../../domain/user/bearer.ts';
import { ServiceError } from '../../domain/errors.ts';
import { chosenFields } from '../../lib/fields.ts';
import { WorkflowId } from '../../domain/id.ts';
import type { EmitTrigger, Trigger } from '../../domain/run/message.ts';
import { ERRORS_STREAM, isReserved, streamOf, type StreamName } from '../../domain/event/stream.ts';
import { EventName } from '../../domain/text.ts';
import { traceFields } from '../../domain/event/trace.ts';
import type { Workflow } from '../../domain/subscription/workflow.ts';
import { workflowErrorEvent, WorkflowErrorReport } from '../../domain/subscription/workflow-error.ts';
import { check, invalidField } from '../../domain/check.ts';
import { jsonBodyText, parseJsonBody } from '../json-body.ts';
import { readQuery } from '../query/read-query.ts';
import { rateExceeded, refusedError } from '../../service/admission/admission.ts';
import type { RequestRates } from '../../service/admission/request-rates.ts';
import { type Storage, storageFull } from '../../service/admission/storage.ts';
import type { IdempotencyStore } from '../../store/table/idempotency.ts';
import type { WorkflowStore } from '../../store/emitters/workflows.ts';
import { emittedEvents } from './emitted-events.ts';
import type { IngressEvent, LogIds } from './ingress-request.ts';

export interface WorkflowIngestOptions {
  workflows: Pick<WorkflowStore, 'find'>;
  idempotency: IdempotencyStore;
  rates: RequestRates;
  storage: Pick<Storage, 'isFullFor'>;
  /** Resolves when the trigger is durable. */
  sendTrigger(trigger: Trigger): Promise<void>;
  /** Sends in this order. Resolves when all triggers are durable. */
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  now(): number;
}

const LONGEST_KEY = 255;

const hashOf = (text: string) => createHash('sha256').update(text).digest();

/**
 * Accepts emits and errors of workflows: `POST /workflows/{p_id}/emits` and `/errors`. Answers with the trigger's id.
 * The body is the event, or an array of events, so `include` and `exclude` are read from the query only.
 */
export const createWorkflowIngest =
  ({ workflows, idempotency, rates, storage, sendTrigger, sendTriggers, now }: WorkflowIngestOptions) =>
  async (request: IngressEvent, logIds: LogIds): Promise<object> => {
    const { workflow, kind } = await workflowOf(workflows, request);
    logIds({ emitter: workflow.id });
    if (kind !== 'emits' && kind !== 'errors') {
      throw new ServiceError('not_found', 'Workflows report to /emits and /errors.');
    }
    if (request.requestContext.http.method !== 'POST') {
      throw new ServiceError('method_not_allowed', 'Use POST here.', {
        allow: ['POST'],
      });
    }
    const { values, include = [], exclude = [] } = readQuery(request.rawQueryString);
    const stream = kind === 'errors' ? ERRORS_STREAM : streamFrom(values['event_name']);
    const text = bodyText(request);
    const report = kind === 'errors' ? check(WorkflowErrorReport, parseJsonBody(text)) : undefined;
    const { texts, isArray } = report ? { texts: [text], isArray: false } : emittedEvents(text);
    if (!(await rates.accept(workflow.id, workflow.ownerId, texts.length))) throw refusedError(rateExceeded(now()));
    const own = { triggerId: `${kind}-${randomUUID()}`, ...(isArray ? { events: texts.length } : {}) };

    const key = keyOf(request, workflow, kind);
    const { accepted, ...claim } = key ? await idempotency.claim(key, own, now()) : { ...own, accepted: false };
    logIds({ trigger: claim.triggerId, trace: traceFields(request.headers).trace?.id });
    const ids = triggerIds(claim);
    const shown = ids.map((triggerId) => chosenFields({ id: triggerId }, { include, exclude }));
    const response = claim.events === undefined ? (shown[0] ?? {}) : shown;
    if (accepted) return response;
    if (claim.events !== own.events) throw otherEvents(claim.events);
    if (await storage.isFullFor(workflow.ownerId, workflow.id)) throw storageFull();
    const triggers = texts.map((json, index): EmitTrigger => ({
      kind: 'emit',
      id: ids[index] ?? claim.triggerId,
      emitterId: workflow.id,
      ownerId: workflow.ownerId,
      at: now(),
      stream,
      payload: {
        json: report ? workflowErrorEvent(report, workflow, { triggerId: claim.triggerId, now: now() }) : json,
      },
      hops: 0,
      ...traceFields(request.headers),
    }));
    await (isArray ? sendTriggers(triggers) : Promise.all(triggers.map(sendTrigger)));
    if (key) await idempotency.settle(key, claim, now());
    return response;
  };

/** The queue may have accepted a part of the first request, so that other events must not get these ids. */
function otherEvents(claimed = 1): ServiceError {
  const message = `belongs to an earlier request with ${claimed} events, whose end is unknown`;
  return new ServiceError(
    'invalid_request',
    `Idempotency-Key ${message}; repeat that request, or send these events with another key.`,
    { details: [{ path: 'Idempotency-Key', message }] },
  );
}

/**
 * One id for each event. Those of an array follow from the claim, so that a repeated request sends the same triggers
 * again.
 */
const triggerIds = ({ triggerId, events }: { triggerId: string; events?: number | undefined }): string[] =>
  events === undefined ? [triggerId] : Array.from({ length: events }, (_, index) => `${triggerId}-${index}`);

function bodyText(request: IngressEvent): string {
  const text = jsonBodyText(request, { isEvent: true });
  if (text !== undefined) return text;
  throw invalidField('', 'is required', 'A body');
}

/** The workflow of a request and what it reports, once the credential is right. */
export async function workflowOf(
  workflows: WorkflowIngestOptions['workflows'],
  { rawPath, headers }: Pick<IngressEvent, 'rawPath' | 'headers'>,
): Promise<{ workflow: Workflow; kind: string }> {
  const [, id = '', kind = ''] = /^\/workflows\/([^/]+)\/?(.*?)\/?$/s.exec(rawPath) ?? [];
  return { workflow: await authenticate(workflows, id, headers['authorization']), kind };
}

/** Throws the same error for a wrong credential and an unknown workflow, so that ids cannot be probed. */
async function authenticate(
  workflows: WorkflowIngestOptions['workflows'],
  id: string,
  authorization: string | undefined,
): Promise<Workflow> {
  const credential = bearerToken(authorization);
  const parsed = WorkflowId.safeParse(id);
  const workflow = credential !== undefined && parsed.success ? await workflows.find(parsed.data) : undefined;
  const expected = Buffer.from(workflow?.credentialHash ?? '', 'hex');
  const actual = hashOf(credential ?? '');
  if (workflow && expected.length === actual.length && timingSafeEqual(expected, actual)) return workflow;
  throw new ServiceError('unauthenticated', 'Send the workflow\'s credential as "Authorization: Bearer <credential>".');
}

const Parameters = z.object({ event_name: EventName });

function streamFrom(name = ''): StreamName {
  const stream = streamOf(check(Parameters, { event_name: name }).event_name);
  if (isReserved(stream)) throw invalidField('event_name', 'must not begin with $');
  return stream;
}

function keyOf({ headers }: IngressEvent, { id }: Workflow, kind: string): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || key === '') return undefined;
  if (key.length > LONGEST_KEY) throw invalidField('Idempotency-Key', `must have at most ${LONGEST_KEY} characters`);
  return hashOf(`${id}\0${kind}\0${key}`).toString('hex');
}
