import * as z from 'zod';
import { streamOf } from '../../../shared/domain/event/stream.ts';
import { shellWord } from '../output/shell-word.ts';
import { type AutoSubscriptionEntry, type Reference, sortedJson, type SubscriptionEntry } from './document.ts';
import { attempt, type ImportWork } from './import-work.ts';

const Made = z.looseObject({ id: z.string() });

interface Imported {
  what: string;
  path: '/subscriptions' | '/auto_subscriptions';
  /** Subscription of the service with the same emitter, listener and stream. */
  existing: { filter?: unknown } | undefined;
  body: { listener_id: string; event_name: string; filter?: unknown };
}

export async function importSubscription(
  work: ImportWork,
  { emitter, listener, stream, filter }: SubscriptionEntry,
): Promise<void> {
  const what = `subscription of ${wordsOf(listener)} to ${wordsOf(emitter)} (${stream})`;
  const [emitterId, listenerId] = [idOf(work, emitter), idOf(work, listener)];
  if (emitterId === undefined || listenerId === undefined) {
    work.report.leftOut.push(missing(what, emitterId === undefined ? emitter : listener));
    return;
  }
  const existing = work.before.subscriptions.find(
    (each) => each.emitter_id === emitterId && each.listener_id === listenerId && sameStream(each.event_name, stream),
  );
  const body = { emitter_id: emitterId, listener_id: listenerId, event_name: stream, filter };
  await subscribe(work, { what, path: '/subscriptions', existing, body });
}

export async function importAutoSubscription(
  work: ImportWork,
  { stream, listener, filter }: AutoSubscriptionEntry,
): Promise<void> {
  const what = `auto-subscription of ${wordsOf(listener)} to ${stream}`;
  const listenerId = idOf(work, listener);
  if (listenerId === undefined) {
    work.report.leftOut.push(missing(what, listener));
    return;
  }
  const existing = work.before.autoSubscriptions.find(
    (each) => each.listener_id === listenerId && sameStream(each.event_name, stream),
  );
  const body = { listener_id: listenerId, event_name: stream, filter };
  await subscribe(work, { what, path: '/auto_subscriptions', existing, body });
}

async function subscribe(work: ImportWork, { what, path, existing, body }: Imported): Promise<void> {
  const { api, report } = work;
  if (existing && sameFilter(existing.filter, body.filter)) {
    report.unchanged += 1;
    return;
  }
  await attempt(work, what, async () => {
    if (!work.isDryRun) await api.send('POST', path, Made, { body });
    (existing ? report.changed : report.made).push(what);
  });
}

/** Undefined if the document's name means nothing here. */
function idOf({ sources, webhooks, before }: ImportWork, reference: Reference): string | undefined {
  if ('every' in reference) return reference.every;
  if ('notices' in reference) return before.noticesId;
  if ('source' in reference) return sources.get(reference.source);
  if ('webhook' in reference) return webhooks.get(reference.webhook);
  return before.workflows.find(({ name }) => name === reference.workflow)?.id;
}

const wordsOf = (reference: Reference): string =>
  'notices' in reference
    ? 'notices'
    : Object.entries(reference)
        .map(([kind, name]) => `${kind} ${name}`)
        .join('');

function missing(what: string, reference: Reference): string {
  if ('notices' in reference) return `${what}: this service has no notices.`;
  if (!('workflow' in reference)) return `${what}: the ${wordsOf(reference)} was left out.`;
  const { workflow } = reference;
  const mend = `tributary admin workflows register --owner u_… --name ${shellWord(workflow)} --target URL`;
  return `${what}, because there is no workflow ${workflow} here: ${mend}`;
}

const sameStream = (a: string, b: string): boolean => streamOf(a) === streamOf(b);
const sameFilter = (a: unknown, b: unknown): boolean => sortedJson(a ?? null) === sortedJson(b ?? null);
