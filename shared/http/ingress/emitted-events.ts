import { ServiceError } from '../../domain/errors.ts';
import { isJsonObject } from '../../domain/event/event-pattern/json-value.ts';
import { MAX_EMITTED_EVENTS } from '../../domain/limits.ts';
import { elementTexts } from '../../lib/json-elements.ts';
import { jsonObject, parsedJson } from '../json-body.ts';

export interface EmittedEvents {
  /** The JSON texts of the events, as they were sent. */
  texts: readonly string[];
  isArray: boolean;
}

/** The events of a workflow's emit: one JSON object, or an array of them, which is accepted whole or not at all. */
export function emittedEvents(text: string): EmittedEvents {
  const value = parsedJson(text);
  if (!Array.isArray(value)) {
    jsonObject(value);
    return { texts: [text.trim()], isArray: false };
  }
  if (value.length === 0 || value.length > MAX_EMITTED_EVENTS) {
    throw badArray('', `must have from 1 to ${MAX_EMITTED_EVENTS} events; this one has ${value.length}`, 'The array');
  }
  const wrong = value.findIndex((event) => !isJsonObject(event));
  if (wrong >= 0) {
    throw badArray(String(wrong), 'must be a JSON object', `The event at index ${wrong} of the array`);
  }
  return { texts: elementTexts(text), isArray: true };
}

const badArray = (path: string, message: string, subject: string) =>
  new ServiceError('invalid_request', `${subject} ${message}. None of its events was accepted.`, {
    details: [{ path, message }],
  });
