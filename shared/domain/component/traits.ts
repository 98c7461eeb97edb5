import { type AuthReads, withAuthFields } from './auth-fields.ts';
import type { ComponentDescription } from './component.ts';
import type { ConfiguredProps } from './configured-props.ts';
import { TimerValue } from './timer.ts';
import type { SourceTraits } from './source-traits.ts';

export function traitsOf(
  description: ComponentDescription,
  props: ConfiguredProps,
  authReads?: AuthReads,
): SourceTraits {
  const nameOf = (type: string) => description.props.find((prop) => prop.type === type)?.name;
  const httpProp = nameOf('$.interface.http');
  const apphookProp = httpProp === undefined ? nameOf('$.interface.apphook') : undefined;
  const timerProp = nameOf('$.interface.timer');
  const apphook = description.props.find(({ name }) => name === apphookProp);
  const appProp = apphook?.['appProp'];
  const http = description.props.find(({ name }) => name === httpProp);
  return {
    ...(description.dedupe === undefined ? {} : { dedupe: description.dedupe }),
    hasRun: description.hasRun,
    hooks: description.hooks,
    ...(httpProp === undefined ? {} : { httpProp }),
    ...(apphookProp === undefined ? {} : { apphookProp }),
    ...(typeof appProp === 'string' ? { apphookAppProp: appProp } : {}),
    customResponse: http?.['customResponse'] === true,
    ...(timerProp === undefined ? {} : { timerProp, timer: timerOf(props[timerProp]) }),
    ...appProps(description),
    ...neededAccounts(description, authReads),
  };
}

/** Name of the prop that shows the endpoint, if the source has one. */
export const endpointProp = ({ httpProp, apphookProp }: SourceTraits): string | undefined => httpProp ?? apphookProp;

function appProps({ props }: Pick<ComponentDescription, 'props'>): Pick<SourceTraits, 'appProps'> {
  const apps = props.filter(({ type }) => type === 'app').map(({ name, app }) => [name, slugOf(app)]);
  return apps.length === 0 ? {} : { appProps: Object.fromEntries(apps) };
}

/** App props that are not optional and whose account the code reads. */
function neededAccounts(
  { props }: Pick<ComponentDescription, 'props'>,
  authReads: AuthReads | undefined,
): Pick<SourceTraits, 'neededAccounts'> {
  const needed = withAuthFields(props, authReads).filter(
    ({ optional, authFields = [] }) => optional !== true && authFields.length > 0,
  );
  return needed.length === 0 ? {} : { neededAccounts: needed.map(({ name }) => name) };
}

/** The slug of an app prop. An app prop without a slug gets the empty slug, and no account has that slug. */
const slugOf = (app: unknown): string => (typeof app === 'string' ? app : '');

function timerOf(value: unknown): NonNullable<SourceTraits['timer']> {
  const { interval_seconds: intervalSeconds, cron, timezone } = TimerValue.parse(value);
  if (cron === null) return { intervalSeconds: intervalSeconds ?? 3_600 };
  return timezone === undefined ? { cron } : { cron, timezone };
}
