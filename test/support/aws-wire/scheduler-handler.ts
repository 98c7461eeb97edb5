import { randomUUID } from 'node:crypto';
import { AwsError, type Output } from '../../../infra/embedded/call.ts';

/** EventBridge Scheduler on the wire: https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html */

/** The members of an SDK's `HttpRequest` that the protocol uses. */
interface SchedulerRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: unknown;
}

/** An `HttpResponse` for an SDK client. */
interface SchedulerResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

const operations: Readonly<Record<string, string>> = {
  POST: 'CreateSchedule',
  PUT: 'UpdateSchedule',
  DELETE: 'DeleteSchedule',
  GET: 'GetSchedule',
};
/** Members of the query by their names there. */
const queryMembers: Readonly<Record<string, string>> = {
  groupName: 'GroupName',
  clientToken: 'ClientToken',
  MaxResults: 'MaxResults',
  NamePrefix: 'NamePrefix',
  NextToken: 'NextToken',
  ScheduleGroup: 'GroupName',
};
const dateMembers = ['StartDate', 'EndDate'];

function readRequest({ method, path, query = {}, body }: SchedulerRequest): {
  operation: string;
  input: Record<string, unknown>;
} {
  const [, resource, name, ...rest] = path.split('/');
  const isList = method === 'GET' && name === undefined;
  const operation = isList ? 'ListSchedules' : operations[method];
  if (resource !== 'schedules' || (name === undefined && !isList) || rest.length > 0 || operation === undefined)
    throw new AwsError('UnknownOperationException', `${method} ${path}`, { statusCode: 404 });
  const input: Record<string, unknown> = {
    ...json(body),
    ...(name === undefined ? {} : { Name: decodeURIComponent(name) }),
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

/** An error that is no {@link AwsError} is a failure of the embedded service: a 500, as on AWS. */
function writeError(error: unknown): SchedulerResponse {
  const known =
    error instanceof AwsError ? error : new AwsError('InternalServerException', String(error), { statusCode: 500 });
  return response(known.statusCode, { Message: known.message }, { 'x-amzn-errortype': known.name });
}

/** A `requestHandler` that passes an SDK client's requests to `call` instead of a socket. */
export function schedulerRequestHandler(call: (operation: string, input: Record<string, unknown>) => Promise<Output>): {
  metadata: { handlerProtocol: string };
  handle(request: SchedulerRequest): Promise<{ response: SchedulerResponse }>;
} {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle(request) {
      try {
        const { operation, input } = readRequest(request);
        return { response: response(200, await call(operation, input)) };
      } catch (error) {
        return { response: writeError(error) };
      }
    },
  };
}

function json(body: unknown): Record<string, unknown> {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : typeof body === 'string' ? body : '';
  if (text === '') return {};
  return JSON.parse(text) as Record<string, unknown>;
}

function response(statusCode: number, output: Output, more: Record<string, string> = {}): SchedulerResponse {
  const body = Buffer.from(JSON.stringify(output, epochSeconds));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), ...more };
  return { statusCode, headers: { ...headers, 'x-amzn-requestid': randomUUID() }, body };
}

/** `this` is the holder: it has the date before its `toJSON` ran. */
function epochSeconds(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key];
  return original instanceof Date ? original.getTime() / 1000 : value;
}
