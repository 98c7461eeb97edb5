import { hash } from 'node:crypto';
import * as z from 'zod';

/** https://www.w3.org/TR/trace-context/ */

const LONGEST_STATE = 512;

/** The trace that a run belongs to, with everything that follows from it. */
export const Trace = z.object({
  /** `trace-id`: 32 hexadecimal digits. */
  id: z.string(),
  /** `trace-flags`: two hexadecimal digits. */
  flags: z.string(),
  /** `tracestate`, as it came. */
  state: z.string().optional(),
});
export type Trace = z.infer<typeof Trace>;

type Headers = Readonly<Record<string, string | undefined>>;

/** Version, trace-id, parent-id and flags. A later version may add fields. */
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_MEMBERS = 32;

/** The trace of a request; undefined without a valid one. Names of headers are lower case. */
function traceOfRequest({ traceparent, tracestate }: Headers): Trace | undefined {
  const [, version, id, parent, flags, more] = PARENT.exec(traceparent?.trim() ?? '') ?? [];
  if (id === undefined || flags === undefined || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  if (/^0+$/.test(id) || /^0+$/.test(parent ?? '')) return undefined;
  const state = stateOf(tracestate ?? '');
  return { id, flags, ...(state === '' ? {} : { state }) };
}

export function traceFields(headers: Headers): { trace?: Trace } {
  const trace = traceOfRequest(headers);
  return trace ? { trace } : {};
}

/** The members that fit; an invalid list is dropped whole, so that no other text gets into a header. */
function stateOf(text: string): string {
  const members = text.split(',').map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''));
  const all = members.filter((member) => member !== '');
  if (all.length > MAX_MEMBERS || !all.every((member) => MEMBER.test(member))) return '';
  while (all.join(',').length > LONGEST_STATE) all.pop();
  return all.join(',');
}

const hexOf = (text: string, digits: number): string => hash('sha256', text).slice(0, digits);

/** The trace of a run whose request had none. It follows from the trigger, so that a repeated run has the same. */
export const newTrace = (triggerId: string): Trace => ({ id: hexOf(triggerId, 32), flags: '01' });

/** The trace in the short form in which events keep it. */
export const traceText = ({ id, flags, state = '' }: Trace): string => id + flags + state;

export function traceOfText(text: string): Trace {
  const state = text.slice(34);
  return { id: text.slice(0, 32), flags: text.slice(32, 34), ...(state === '' ? {} : { state }) };
}

/** The headers of one attempt. `attempt` is different for each. */
export const traceHeaders = (
  { id, flags, state }: Trace,
  attempt: string,
): { traceparent: string; tracestate: string | undefined } => ({
  traceparent: `00-${id}-${hexOf(attempt, 16)}-${flags}`,
  tracestate: state,
});
