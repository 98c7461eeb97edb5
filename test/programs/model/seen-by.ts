import * as z from 'zod';
import { numberOf, REPORT_STREAM } from './components.ts';
import type { Seen, SeenStream } from './promises.ts';
import { answered, type Requests } from './requests.ts';
import { type Emitter, STREAMS, type Tenant } from './tenant.ts';

const Listed = z.object({
  page_info: z.object({ end_cursor: z.string().nullable() }),
  data: z.array(z.object({ event: z.unknown() })),
});
const Remembered = z.object({ seen: z.array(z.string()) });

/** Asks every source that remembers for its `db`, which it emits. False when a source refuses for now. */
export async function askForDb(tenant: Tenant): Promise<boolean> {
  for (const { url } of remembering(tenant)) {
    const { status } = await answered(() => tenant.requests.post(url, { report: true }));
    if (status !== 200) return false;
  }
  return true;
}

/** The state that the service shows to a tenant, after {@link askForDb}. */
export async function seenBy(tenant: Tenant): Promise<Pick<Seen, 'streams' | 'deliveries' | 'db'>> {
  return {
    streams: await streamsOf(tenant),
    deliveries: tenant.deliveries(),
    db: await dbOf(tenant),
  };
}

async function streamsOf({ requests, emitters, listeners }: Tenant): Promise<SeenStream[]> {
  const seen: SeenStream[] = [];
  for (const emitterId of [...emitters.map(({ id }) => id), ...listeners]) {
    for (const stream of STREAMS) {
      const events = await eventsOf(requests, emitterId, stream);
      seen.push({ emitterId, stream, events: events.map(({ event }) => numberOf(event)).reverse() });
    }
  }
  return seen;
}

const remembering = ({ emitters, history }: Tenant): Emitter[] =>
  emitters.filter(({ id, kind }) => kind === 'remembering' && !history.livesOf(id).some(({ to }) => to === 'off'));

/** The numbers in `db` of each source that remembers. */
async function dbOf(tenant: Tenant): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { id } of remembering(tenant)) {
    const [newest] = await eventsOf(tenant.requests, id, REPORT_STREAM);
    found.set(id, newest ? Remembered.parse(newest.event).seen : []);
  }
  return found;
}

/** Newest first; none of a deleted emitter. */
async function eventsOf(requests: Requests, emitterId: string, stream: string) {
  const kind = emitterId.startsWith('p_') ? 'workflows' : 'sources';
  const query = new URLSearchParams({ limit: '100', expand: 'event', event_name: stream });
  const events: z.infer<typeof Listed>['data'] = [];
  // A page of large events ends before its limit.
  for (;;) {
    const path = `/${kind}/${emitterId}/event_summaries?${String(query)}`;
    const { status, text } = await answered(() => requests.call('GET', path));
    if (status === 404) return [];
    if (status !== 200) throw new Error(`The events of ${emitterId} cannot be listed: ${status} ${text}`);
    const { data, page_info: page } = Listed.parse(JSON.parse(text));
    events.push(...data);
    if (page.end_cursor === null) return events;
    query.set('after', page.end_cursor);
  }
}
