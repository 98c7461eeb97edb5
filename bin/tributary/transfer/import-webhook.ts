import { Webhook } from '../session/response-schemas.ts';
import { sortedJson, type WebhookEntry, webhookHandle } from './document.ts';
import { webhookEntry } from './export-document.ts';
import { commandWith, shellWord } from '../output/shell-word.ts';
import { attempt, type ImportWork, NOT_MADE } from './import-work.ts';

/** A webhook is the one of the same name and URL, else the only one of its name. */
function existingWebhook({ document, before, webhooks }: ImportWork, { name, url }: WebhookEntry) {
  const used = new Set(webhooks.values());
  const free = before.webhooks.filter(({ id }) => !used.has(id));
  const same = free.find((each) => each.name === name && each.url === url);
  if (same || name === null) return same;
  const isOnly = (list: readonly { name: string | null }[]) => list.filter((each) => each.name === name).length === 1;
  return isOnly(document.webhooks) && isOnly(before.webhooks) ? free.find((each) => each.name === name) : undefined;
}

export async function importWebhook(work: ImportWork, entry: WebhookEntry): Promise<void> {
  // The values of headers are not exported. A release that takes no activity at creation takes it afterwards.
  const { headers, active, ...settings } = entry;
  const handle = webhookHandle(entry, work.document.webhooks);
  const what = `webhook ${handle}`;
  const existing = existingWebhook(work, entry);
  for (const header of Object.keys(headers)) {
    if (Object.hasOwn(existing?.headers ?? {}, header)) continue;
    const option = `--header ${shellWord(`${header}=VALUE`)}`;
    const mend = commandWith('tributary webhooks update', handle, option);
    work.report.leftOut.push(`header ${header} of the ${what}, whose value is not exported: ${mend}`);
  }
  if (!existing) {
    await attempt(work, what, async () => {
      const body = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
      const made = work.isDryRun ? undefined : await work.api.send('POST', '/webhooks', Webhook, { body });
      work.webhooks.set(handle, made?.id ?? NOT_MADE);
      if (made && !active) await work.api.send('PUT', `/webhooks/${made.id}`, Webhook, { body: { active } });
      work.report.made.push(what);
    });
    return;
  }
  work.webhooks.set(handle, existing.id);
  const now = webhookEntry(existing);
  if (sortedJson(now) === sortedJson({ ...now, ...entry, headers: now.headers })) {
    work.report.unchanged += 1;
    return;
  }
  await attempt(work, what, async () => {
    const body = { ...settings, active };
    if (!work.isDryRun) await work.api.send('PUT', `/webhooks/${existing.id}`, Webhook, { body });
    work.report.changed.push(what);
  });
}
