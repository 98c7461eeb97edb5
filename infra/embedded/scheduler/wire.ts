import { randomUUID } from 'node:crypto';
import { AwsError, type Output } from '../call.ts';
import { unknownOperation, validation } from './errors.ts';

/** REST-JSON as EventBridge Scheduler speaks it: https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html */

/** The members of an SDK's `HttpRequest` that matter here. */
export interface SchedulerRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: unknown;
}

/** What an SDK client accepts as an `HttpResponse`. */
export interface SchedulerResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

export interface SchedulerCall {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

const operationsOnOne: Readonly<Record<string, string>> = {
  POST: 'CreateSchedule',
  PUT: 'UpdateSchedule',
  GET: 'GetSchedule',
  DELETE: 'DeleteSchedule',
};
/** Members that travel in the query, by their names there. */
const queryMembers: Readonly<Record<string, string>> = {
  groupName: 'GroupName',
  clientToken: 'ClientToken',
  ScheduleGroup: 'GroupName',
  NamePrefix: 'NamePrefix',
  State: 'State',
  NextToken: 'NextToken',
  MaxResults: 'MaxResults',
};
const dateMembers = ['StartDate', 'EndDate'];

/** Reads operation and input; throws {@link AwsError} for what no Scheduler endpoint would understand. */
export function readRequest({ method, path, query = {}, body }: SchedulerRequest): SchedulerCall {
  const [, resource, name, ...rest] = path.split('/');
  const operation = name === undefined ? { GET: 'ListSchedules' }[method] : operationsOnOne[method];
  if (resource !== 'schedules' || rest.length > 0 || operation === undefined)
    throw unknownOperation(`${method} ${path}`);
  const input: Record<string, unknown> = {
    ...json(body),
    ...(name !== undefined && { Name: decodeURIComponent(name) }),
  };
  for (const [parameter, value] of Object.entries(query)) {
    const member = queryMembers[parameter];
    if (member !== undefined && typeof value === 'string')
      input[member] = member === 'MaxResults' ? Number(value) : value;
  }
  for (const member of dateMembers) {
    if (typeof input[member] === 'number') input[member] = new Date(input[member] * 1000);
  }
  return { operation, input };
}

export function writeOutput(output: Output): SchedulerResponse {
  return response(200, output);
}

/** Anything that is no {@link AwsError} is ours, and answered as AWS answers its own failures. */
export function writeError(error: unknown): SchedulerResponse {
  const known =
    error instanceof AwsError
      ? error
      : new AwsError('InternalServerException', String(error), { statusCode: 500 });
  return response(known.statusCode, { Message: known.message }, { 'x-amzn-errortype': known.name });
}

/** A `requestHandler` for an SDK client whose requests end in `call` instead of a socket. */
export function schedulerRequestHandler(
  call: (operation: string, input: Record<string, unknown>) => Promise<Output>,
): {
  metadata: { handlerProtocol: string };
  handle(request: SchedulerRequest): Promise<{ response: SchedulerResponse }>;
} {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle(request) {
      try {
        const { operation, input } = readRequest(request);
        return { response: writeOutput(await call(operation, input)) };
      } catch (error) {
        return { response: writeError(error) };
      }
    },
  };
}

function json(body: unknown): Record<string, unknown> {
  const text =
    body instanceof Uint8Array ? Buffer.from(body).toString() : typeof body === 'string' ? body : '';
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw validation('The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw validation('The body is no object.');
  return value as Record<string, unknown>;
}

function response(statusCode: number, output: Output, more: Record<string, string> = {}): SchedulerResponse {
  const body = Buffer.from(JSON.stringify(output, epochSeconds));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), ...more };
  return { statusCode, headers: { ...headers, 'x-amzn-requestid': randomUUID() }, body };
}

/** `this` is the holder, before `toJSON` of Date had its say. */
function epochSeconds(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key];
  return original instanceof Date ? original.getTime() / 1000 : value;
}
