/** Providers whose apps have one address for all events, by the slugs of their apps. */
const PROVIDERS: ReadonlyMap<unknown, string> = new Map([
  ['slack', 'Slack'],
  ['slack_v2', 'Slack'],
  ['slack_bot', 'Slack'],
  ['strava', 'Strava'],
]);

interface DeclaredProp {
  readonly name: string;
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The app prop of an app hook: the one that it names, else the only one. */
export const appPropOf = (declared: unknown, names: readonly string[]): string | undefined =>
  typeof declared === 'string' ? declared : names.length === 1 ? names[0] : undefined;

/** The provider of a component's app hook, if only one source can have its address. */
export function oneAddressProvider(props: readonly DeclaredProp[]): string | undefined {
  const hook = props.find(({ type }) => type === '$.interface.apphook');
  if (!hook || props.some(({ type }) => type === '$.interface.http')) return undefined;
  const apps = props.filter(({ type }) => type === 'app');
  const names = apps.map((prop) => prop.name);
  const name = appPropOf(hook['appProp'], names);
  return PROVIDERS.get(apps.find((prop) => prop.name === name)?.['app']);
}

/** Whether these values of a source are those of an app hook. */
export const hasAppHook = (configuredProps: Readonly<Record<string, unknown>>): boolean =>
  Object.values(configuredProps).some(
    (value) => typeof value === 'object' && value !== null && Object.hasOwn(value, 'event_names'),
  );

/** Components that are read to find the sources of a provider. */
export const MAX_READ_COMPONENTS = 20;
