import { freeSlug, slugOf } from '../../../shared/domain/source/slug.ts';
import { Source } from '../session/response-schemas.ts';
import { commandWith, shellWord } from '../output/shell-word.ts';
import { sortedJson, type SourceEntry } from './document.ts';
import { sourceEntry } from './export-document.ts';
import { attempt, type ImportWork, NOT_MADE } from './import-work.ts';
import { type LackingValue, lackingSentences, propsToSend } from './imported-props.ts';
import { isRequired } from '../input/prop-values.ts';

export async function importSource(work: ImportWork, entry: SourceEntry): Promise<void> {
  const { report, before } = work;
  const what = `source ${entry.slug}`;
  const componentId = work.components.get(entry.component);
  if (componentId === undefined) {
    report.leftOut.push(`${what}: its component was left out.`);
    return;
  }
  const existing = before.sources.find(({ name_slug: slug }) => slug === entry.slug);
  const stored = existing ? sourceEntry(existing, before).props : {};
  const { props, lacking } = propsToSend(entry, {
    stored,
    accounts: before.accounts,
    setValues: work.setValues.get(entry.slug) ?? new Map(),
    definitions: work.props.get(componentId),
  });
  if (existing) await updateSource(work, { entry, existing, componentId, props });
  else if (work.isDryRun) predict(work, { entry, componentId, lacking });
  else
    await attempt(work, what, async () => {
      await makeSource(work, entry, {
        component_id: componentId,
        configured_props: props,
        endpoint: entry.endpoint,
        tags: entry.tags,
      });
      report.made.push(what);
    });
  // A source that lacks a required value is refused. The next import updates one that was created by hand.
  const isThere = work.sources.has(entry.slug);
  const commandOf = ({ option }: LackingValue) =>
    isThere
      ? commandWith('tributary sources update', entry.slug, option)
      : createCommand(work, entry, { componentId, props, lacking });
  report.leftOut.push(...lackingSentences(lacking, commandOf));
  for (const { app } of lacking) if (app !== undefined) report.missingApps.add(app);
}

interface CreateInput {
  componentId: string;
  props: Readonly<Record<string, unknown>>;
  lacking: readonly LackingValue[];
}

/** The command that makes a source as the document has it. It shows no value of `--set`, which may be a secret. */
const createCommand = (work: ImportWork, entry: SourceEntry, { componentId, props, lacking }: CreateInput): string =>
  [
    `tributary sources create ${shellWord(componentId)} --name ${shellWord(nameFor(work, entry))}`,
    ...Object.entries(props).map(([name, value]) =>
      work.setValues.get(entry.slug)?.has(name) === true
        ? `--prop ${shellWord(`${name}=VALUE`)}`
        : `--prop-json ${shellWord(`${name}=${JSON.stringify(value)}`)}`,
    ),
    ...lacking.map(({ option }) => option),
    ...(entry.endpoint === undefined ? [] : [`--endpoint ${entry.endpoint}`]),
    ...(entry.tags ?? []).map((tag) => `--tag ${shellWord(tag)}`),
    ...(isOn(work, entry) ? [] : ['--disabled']),
  ].join(' ');

const isOn = ({ areInactive }: ImportWork, { active }: SourceEntry): boolean => active && !areInactive;

/** A slug follows from its name. The name is the slug itself where another name would not give it. */
function nameFor({ sources }: ImportWork, { slug, name }: SourceEntry): string {
  const others = new Set([...sources.keys()].filter((each) => each !== slug));
  return freeSlug(slugOf(name), others) === slug ? name : slug;
}

interface PredictInput {
  entry: SourceEntry;
  componentId: string;
  lacking: readonly LackingValue[];
}

/** Reports what `makeSource` would do. The service refuses a source that lacks a required value. */
function predict({ report, before, sources }: ImportWork, { entry, componentId, lacking }: PredictInput) {
  const what = `source ${entry.slug}`;
  const names = lacking.map(({ prop }) => prop);
  const component = before.components.get(componentId);
  const required = component?.configurable_props.filter((prop) => names.includes(prop.name) && isRequired(prop));
  if (required !== undefined && required.length > 0) {
    report.leftOut.push(`${what}: its component requires ${required.map(({ name }) => name).join(', ')}.`);
    return;
  }
  sources.set(entry.slug, NOT_MADE);
  const isUnsure = component === undefined && names.length > 0;
  report.made.push(isUnsure ? `${what}, unless its component requires ${names.join(', ')}` : what);
}

/** The name of a source between the two requests that make an inactive one. */
const unfinishedName = ({ slug }: SourceEntry): string => `${slug}: import not finished`;

/**
 * The API makes active sources only. An inactive one gets its name when it is switched off, so that the next import
 * finds one that was not.
 */
async function makeSource(work: ImportWork, entry: SourceEntry, component: object): Promise<void> {
  const { api, before, sources } = work;
  const [name, unfinished] = [nameFor(work, entry), unfinishedName(entry)];
  const active = isOn(work, entry);
  const left = before.sources.find((source) => source.name === unfinished);
  const made =
    left ??
    (await api.send('POST', '/sources', Source, {
      body: { ...component, name: active ? name : unfinished },
    }));
  sources.set(entry.slug, made.id);
  if (left || !active) await api.send('PUT', `/sources/${made.id}`, Source, { body: { name, active } });
}

interface UpdateInput {
  entry: SourceEntry;
  existing: Source;
  componentId: string;
  props: Record<string, unknown>;
}

async function updateSource(work: ImportWork, { entry, existing, componentId, props }: UpdateInput) {
  const now = sourceEntry(existing, work.before);
  const hasOtherCode = now.component !== entry.component;
  const hasOtherProps = Object.keys(props).length > 0;
  const name = nameFor(work, entry);
  const hasOtherName = name === entry.name && now.name !== name;
  const { endpoint = 'path' } = entry;
  const hasOtherEndpoint = endpoint !== (now.endpoint ?? 'path');
  const hasOtherTags = entry.tags !== undefined && sortedJson(entry.tags) !== sortedJson(now.tags ?? []);
  const isSwitched = !work.areInactive && now.active !== entry.active;
  if (!hasOtherCode && !hasOtherProps && !hasOtherName && !hasOtherEndpoint && !hasOtherTags && !isSwitched) {
    work.report.unchanged += 1;
    return;
  }
  await attempt(work, `source ${entry.slug}`, async () => {
    const body = {
      ...(hasOtherName ? { name } : {}),
      ...(hasOtherCode ? { component_id: componentId } : {}),
      ...(hasOtherProps ? { configured_props: props } : {}),
      ...(hasOtherEndpoint ? { endpoint } : {}),
      ...(hasOtherTags ? { tags: entry.tags } : {}),
      // Without it, new code would enable a disabled source.
      active: isSwitched ? entry.active : now.active,
    };
    if (!work.isDryRun) await work.api.send('PUT', `/sources/${existing.id}`, Source, { body });
    work.report.changed.push(`source ${entry.slug}`);
  });
}
