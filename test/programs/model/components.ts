import * as z from 'zod';

/** The components of the model test. An event is known by its number `n`, wherever it is. */

/** The stream on which a source reports its `db`. */
export const REPORT_STREAM = 'report';

/** A prop that updates change, and nothing reads. */
const NOTE = `note: { type: 'string', optional: true }`;

/**
 * Emits what it gets on the stream that the request names, and remembers every number in `db`, which it emits when
 * asked.
 */
export const REMEMBERING = `export default {
  name: 'Remembering', key: 'remembering', version: '0.0.1', props: { http: '$.interface.http', db: '$.service.db', ${NOTE} },
  run({ body: { n, stream, pad, report } }) {
    const seen = this.db.get('seen') ?? [];
    if (report) return void this.$emit({ seen }, { name: '${REPORT_STREAM}' });
    this.db.set('seen', [...seen, n]);
    this.$emit({ n, pad }, { name: stream });
  },
};`;

/** Without `run`: every request is an event. */
export const PASS_THROUGH = `export default {
  name: 'Pass through', key: 'pass-through', version: '0.0.1', props: { http: '$.interface.http', ${NOTE} },
};`;

/** Emits what other emitters emitted. */
export const LISTENING = `export default {
  name: 'Listening', key: 'listening', version: '0.0.1', props: { ${NOTE} }, run(event) { this.$emit(event); },
};`;

const Numbered = z.object({ n: z.string() });
const Event = z.union([
  Numbered.transform(({ n }) => n),
  // A pass-through source emits the whole request.
  z.object({ body: Numbered }).transform(({ body }) => body.n),
  // A list shows a workflow's emit in a wrapper.
  z.object({ raw_event: Numbered }).transform((event) => event.raw_event.n),
]);

/** The events that pass the filter of the model: those whose number is odd, in every form in which emitters emit it. */
export const isOdd = (n: string): boolean => /[13579]$/.test(n);
const odd = [1, 3, 5, 7, 9].map((digit) => ({ suffix: String(digit) }));
export const ODD_FILTER = { $or: [{ n: odd }, { body: { n: odd } }, { raw_event: { n: odd } }] };

/** The number of an event, as receivers and lists see it. */
export const numberOf = (event: unknown): string => Event.parse(event);
