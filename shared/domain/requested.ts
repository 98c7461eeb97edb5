/**
 * The settings of an object in a request; those that it lacks are undefined. A mapping must name every setting, so one
 * that forgets a new setting does not compile.
 */
export type Requested<Settings> = { [Name in keyof Settings]-?: Settings[Name] | undefined };

/** The settings, replaced by those that the request has. */
export function withRequested<Settings extends object>(settings: Settings, requested: Requested<Settings>): Settings {
  const named = Object.entries(requested).filter(([, value]) => value !== undefined);
  return { ...settings, ...Object.fromEntries(named) };
}
