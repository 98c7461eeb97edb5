import * as z from 'zod';
import { AccountReference } from '../account/account.ts';
import { appPropOf } from './one-address.ts';
import type { Source } from '../source/source.ts';

export interface SourceAppHook {
  /** Name of the app prop; undefined when the component has several and names none. */
  appProp: string | undefined;
  app: string | undefined;
  account: AccountReference | undefined;
  eventNames: readonly string[];
}

/** A name of another type than text fits no event. */
const Shown = z.object({ event_names: z.array(z.string().catch('')) });

/** The app hook of a source; undefined without one. */
export function sourceAppHook({
  traits: { apphookProp, apphookAppProp, appProps = {} },
  configuration: { configuredProps },
}: Pick<Source, 'traits' | 'configuration'>): SourceAppHook | undefined {
  if (apphookProp === undefined) return undefined;
  const apps = new Map(Object.entries(appProps));
  const values = new Map(Object.entries(configuredProps));
  const appProp = appPropOf(apphookAppProp, [...apps.keys()]);
  return {
    appProp,
    app: apps.get(appProp ?? ''),
    account: AccountReference.safeParse(values.get(appProp ?? '')).data,
    eventNames: Shown.safeParse(values.get(apphookProp)).data?.event_names ?? [],
  };
}
