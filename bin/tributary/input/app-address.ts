import { hasAppHook, MAX_READ_COMPONENTS, oneAddressProvider } from '../../../shared/domain/app-hook/one-address.ts';
import { plainLine } from '../../plain-text.ts';
import type { Api } from '../session/api.ts';
import type { Session } from '../session/command-session.ts';
import { ComponentWithCode, Source } from '../session/response-schemas.ts';
import { shellWord } from '../output/shell-word.ts';
import { sourceNamed } from './resolve-name.ts';

/**
 * The id of the source to which a new one listens: the one that is named, or on a terminal the one that a person
 * chooses, if the app of the component has one address for all events.
 */
export async function emitterOf(
  session: Session,
  api: Api,
  component: ComponentWithCode,
  listenTo: string | undefined,
): Promise<string | undefined> {
  if (listenTo !== undefined) return sourceNamed(api, listenTo);
  const provider = oneAddressProvider(component.configurable_props);
  if (provider === undefined) return undefined;
  const { isInteractive, output, terminal } = session;
  const sources = output.hasColumns ? await sourcesOf(api, provider) : [];
  const [first] = sources;
  if (!first) return undefined;
  if (!isInteractive) {
    output.note(
      `${provider} has one address per app. If another source has it, listen to that one: --listen-to ${shellWord(first.name_slug)}`,
    );
    return undefined;
  }
  const { select } = await import('@inquirer/prompts');
  return select(
    {
      message: `${provider} has one address per app. Where do the events come from?`,
      choices: [
        { name: `${provider} sends them to the address of this source`, value: undefined },
        ...sources.map(({ id, name }) => ({
          name: plainLine(`the source ${name} has the address; listen to it`),
          value: id,
        })),
      ],
    },
    { input: terminal.stdin, output: terminal.stderr },
  );
}

/** The sources with an app hook of a provider, newest first. */
async function sourcesOf(api: Api, provider: string): Promise<Source[]> {
  const sources = (await api.list('/users/me/sources', Source)).filter((source) => hasAppHook(source.configured_props));
  const ids = [...new Set(sources.map((source) => source.component_id))].slice(0, MAX_READ_COMPONENTS);
  const components = await Promise.all(
    ids.map((id) => api.get(`/components/${encodeURIComponent(id)}`, ComponentWithCode)),
  );
  const ofProvider = new Set(
    components.filter((component) => oneAddressProvider(component.configurable_props) === provider).map(({ id }) => id),
  );
  return sources.filter((source) => ofProvider.has(source.component_id));
}
