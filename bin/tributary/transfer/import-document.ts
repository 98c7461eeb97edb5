import { ComponentWithCode } from '../session/response-schemas.ts';
import type { Api } from '../session/api.ts';
import type { ComponentEntry, Document } from './document.ts';
import { type ImportReport, newReport } from './import-report.ts';
import { importSource } from './import-source.ts';
import { importAutoSubscription, importSubscription } from './import-subscriptions.ts';
import { importWebhook } from './import-webhook.ts';
import { attempt, type ImportOptions, type ImportWork, NOT_MADE } from './import-work.ts';
import type { AccountState } from './read-account.ts';

/**
 * Makes what is missing and updates what differs; deletes nothing. Listeners come before their subscriptions, and
 * auto-subscriptions last, so that they make no subscriptions for imported sources.
 */
export async function importDocument(
  api: Api,
  document: Document,
  { before, ...options }: ImportOptions & { before: AccountState },
): Promise<ImportReport> {
  const work: ImportWork = {
    ...options,
    api,
    document,
    before,
    report: newReport(),
    components: new Map([...before.components].map(([id, { code_hash: hash }]) => [hash, id])),
    props: new Map([...before.components].map(([id, { configurable_props: props }]) => [id, props])),
    sources: new Map(before.sources.map(({ name_slug: slug, id }) => [slug, id])),
    webhooks: new Map(),
  };
  for (const entry of document.components) await importComponent(work, entry);
  for (const entry of document.webhooks) await importWebhook(work, entry);
  for (const entry of document.sources) await importSource(work, entry);
  for (const entry of document.subscriptions) await importSubscription(work, entry);
  for (const entry of document.auto_subscriptions) await importAutoSubscription(work, entry);
  return work.report;
}

async function importComponent(
  work: ImportWork,
  { code_hash: hash, key, name, path, code, files }: ComponentEntry,
): Promise<void> {
  const what = `component ${key ?? name}`;
  if (work.components.has(hash)) {
    work.report.unchanged += 1;
    return;
  }
  await attempt(work, what, async () => {
    const body = { component_code: code, component_path: path, component_files: files };
    const made = work.isDryRun ? undefined : await work.api.send('POST', '/components', ComponentWithCode, { body });
    work.components.set(hash, made?.id ?? NOT_MADE);
    if (made) work.props.set(made.id, made.configurable_props);
    work.report.made.push(what);
  });
}
