import type { ComponentDescription } from '../../domain/component/component.ts';
import { type ConfiguredProps, configureProps, missingDetails } from '../../domain/component/configured-props.ts';
import { sentence } from '../../domain/check.ts';
import { type ErrorDetail, ServiceError } from '../../domain/errors.ts';

/** The values of all props. Throws `invalid_request` with a detail per prop that is wrong or missing. */
export function readProps(
  description: ComponentDescription,
  { configuredProps, storedProps }: { configuredProps: ConfiguredProps; storedProps?: ConfiguredProps },
  missing?: readonly string[],
): Record<string, unknown> {
  const read = configureProps(description, configuredProps, storedProps);
  if (!read.ok) throw invalidProps(read.details, missing);
  return read.props;
}

/**
 * One detail per wrong value and per missing prop. The message names the wrong values, or the missing props when no
 * value is wrong.
 */
export function invalidProps(wrong: readonly ErrorDetail[], missing: readonly string[] = []): ServiceError {
  const message = wrong.length > 0 ? sentence(wrong) : allRequired(missing);
  return new ServiceError('invalid_request', message, {
    details: [...wrong, ...missingDetails(missing)],
  });
}

/** `configured_props.a, configured_props.b and configured_props.c are required.` */
function allRequired(missing: readonly string[]): string {
  const paths = missingDetails(missing).map(({ path }) => path);
  const list = paths.join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `${list} ${paths.length === 1 ? 'is' : 'are'} required.`;
}
