import type { EmbeddedService, Input } from '../../infra/embedded/call.ts';
import type { Cloud } from '../../infra/embedded/cloud.ts';
import { Journal } from '../../infra/embedded/disk/journal.ts';

/** Work of a cloud in this process. Each pass over a large text costs as much as a copy of its characters. */
export interface EventWork {
  /** Texts with the mark that were written as JSON. */
  written: number;
  /** JSON texts with the mark that were read. */
  read: number;
  /** Calls of table, queues and bucket. */
  calls: number;
  journalBytes: number;
  /** Appends to the journal. */
  commits: number;
}

/**
 * Counts until it is stopped. The functions of a cloud share one `JSON`; the processes of components are not counted.
 */
export function countWork({ services }: Cloud, mark: string): { work: EventWork; stop(): void } {
  const work: EventWork = { written: 0, read: 0, calls: 0, journalBytes: 0, commits: 0 };
  const undo = [countJson(mark, work), countJournal(work)];
  for (const service of [services.dynamodb, services.sqs, services.s3]) undo.push(countCalls(service, work));
  return {
    work,
    stop() {
      for (const each of undo) each();
    },
  };
}

/** The work for one of several events. */
export const perEventOf = ({ written, read, calls, journalBytes, commits }: EventWork, events: number): EventWork => ({
  written: written / events,
  read: read / events,
  calls: calls / events,
  journalBytes: journalBytes / events,
  commits: commits / events,
});

function countJson(mark: string, work: EventWork): () => void {
  const { stringify, parse } = JSON;
  Object.assign(JSON, {
    stringify(...parameters: Parameters<typeof stringify>): unknown {
      const text: unknown = stringify(...parameters);
      if (typeof text === 'string' && text.includes(mark)) work.written += 1;
      return text;
    },
    parse(...parameters: Parameters<typeof parse>): unknown {
      if (String(parameters[0]).includes(mark)) work.read += 1;
      return parse(...parameters);
    },
  });
  return () => void Object.assign(JSON, { stringify, parse });
}

function countJournal(work: EventWork): () => void {
  const { append } = Journal.prototype;
  Journal.prototype.append = function counted(writes) {
    const before = this.size;
    append.call(this, writes);
    work.journalBytes += this.size - before;
    if (this.size > before) work.commits += 1;
  };
  return () => void (Journal.prototype.append = append);
}

/** Calls of one service until it is stopped. */
export function onCalls(service: EmbeddedService, onCall: (operation: string, input: Input) => void): () => void {
  const { call } = service;
  const observed: EmbeddedService['call'] = (operation, input, role) => {
    onCall(operation, input);
    return Reflect.apply(call, service, [operation, input, role]);
  };
  Object.assign(service, { call: observed });
  return () => void Object.assign(service, { call });
}

function countCalls<Call extends (...parameters: never[]) => unknown>(
  service: { call: Call },
  work: EventWork,
): () => void {
  const { call } = service;
  const counted = (...parameters: Parameters<Call>): unknown => {
    work.calls += 1;
    return Reflect.apply(call, service, parameters);
  };
  Object.assign(service, { call: counted });
  return () => void Reflect.deleteProperty(service, 'call');
}
