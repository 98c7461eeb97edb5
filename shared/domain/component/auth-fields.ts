import * as z from 'zod';
import type { PropDefinition } from './prop-definition.ts';

/** Maximum of field names of one app prop. */
export const MAX_AUTH_FIELDS = 50;
/** Maximum of groups of a component, and of apps of one group; real components have two or three. */
export const MAX_AUTH_READS = 20;
const LONGEST_NAME = 64;

/**
 * A name that a field of an account may have. Every object has `toString` and the like, so these are no fields either.
 */
export const isFieldName = (name: string): boolean =>
  name.length <= LONGEST_NAME && /^[\w.-]+$/.test(name) && !Object.hasOwn(Object.prototype, name);

/** A name of a prop or an app that is kept; a longer one counts as unknown. */
export const isShortName = (name: string): boolean => name.length <= LONGEST_NAME;

const ShortName = z.string().max(LONGEST_NAME);

/**
 * Names that a component's code reads as `$auth.<name>`, with what the code tells about the app. The builder finds
 * them; the props are known later, when the component is loaded.
 */
export const AuthReads = z
  .array(
    z.object({
      names: z.array(z.string().refine(isFieldName)).max(MAX_AUTH_FIELDS),
      /** The name before `.$auth`, as in `this.github.$auth`, which may be that of an app prop. */
      prop: ShortName.optional(),
      /** Slugs of the apps whose files have the code; empty when the code belongs to no app. */
      apps: z.array(ShortName).max(MAX_AUTH_READS),
    }),
  )
  .max(MAX_AUTH_READS);
export type AuthReads = z.infer<typeof AuthReads>;

export type ShownProp = PropDefinition & { authFields?: string[] };

/**
 * The props with `authFields` on each app prop: the sorted names that the code reads of this prop's account. A name
 * belongs to the prop that the code names, else to the props of the app whose file has the code, else to every app
 * prop.
 */
export function withAuthFields(props: readonly PropDefinition[], reads: AuthReads = []): ShownProp[] {
  const appProps = props.filter(({ type }) => type === 'app');
  const propNames = new Set(appProps.map(({ name }) => name));
  const slugs = new Set(appProps.map(({ app }) => app));

  const belongs = ({ prop, apps }: AuthReads[number], { name, app }: PropDefinition): boolean => {
    if (prop !== undefined && propNames.has(prop)) return prop === name;
    return apps.some((slug) => slugs.has(slug)) ? apps.some((slug) => slug === app) : true;
  };

  return props.map((prop) => {
    if (prop.type !== 'app') return prop;
    const names = new Set(reads.filter((read) => belongs(read, prop)).flatMap((read) => read.names));
    return { ...prop, authFields: [...names].sort().slice(0, MAX_AUTH_FIELDS) };
  });
}
