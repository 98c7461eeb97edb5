import { asksForProps, type Component } from '../../domain/component/component.ts';
import { type ConfiguredProps, configureProps } from '../../domain/component/configured-props.ts';
import { type ErrorDetail, ServiceError } from '../../domain/errors.ts';
import type { UserId } from '../../domain/id.ts';
import type { PropDefinition } from '../../domain/component/prop-definition.ts';
import { sentence } from '../../domain/check.ts';
import { accountProblems } from '../accounts/account-problems.ts';
import { missingDetails, missingProps } from '../../domain/component/required-props.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { Configurator } from '../components/configurator.ts';

export interface ReadConfigurationContext {
  configurator: Pick<Configurator, 'additionalProps'>;
  accounts: Pick<AccountStore, 'find'>;
}

interface ReadConfigurationInput {
  component: Component;
  userId: UserId;
  /** Values of the request. */
  configuredProps: ConfiguredProps;
  /** Stored values, which an update keeps where the request names no other. */
  storedProps?: ConfiguredProps;
  /** Time by which the request must be answered, epoch ms. */
  deadline: number;
}

/**
 * Validates configured props and their accounts, and reads the component's additional props; undefined when it has none.
 * Throws `invalid_request` with a detail per prop that is wrong or required and missing.
 */
export async function readConfiguration(
  { configurator, accounts }: ReadConfigurationContext,
  { component, userId, configuredProps, storedProps = {}, deadline }: ReadConfigurationInput,
): Promise<PropDefinition[] | undefined> {
  const { description } = component;
  const values = { ...storedProps, ...configuredProps };
  const missing = missingProps(description, values);
  const read = configureProps(description, configuredProps, storedProps);
  if (!read.ok) throw invalidProps(read.details, missing);
  const { props } = read;
  const wrongAccounts = await accountProblems(accounts, { userId, definitions: description.props, props });
  if (wrongAccounts.length > 0) throw invalidProps(wrongAccounts, missing);
  if (!asksForProps(description)) {
    if (missing.length > 0) throw invalidProps([], missing);
    return undefined;
  }
  const asking = configurator.additionalProps({ component, userId, props, deadline });
  // A component that fails while props are missing has most likely failed for want of them.
  const additional = await asking.catch((error: unknown) => {
    throw missing.length > 0 ? invalidProps([], missing) : error;
  });
  const stillMissing = missingProps(description, values, additional);
  if (stillMissing.length > 0) throw invalidProps([], stillMissing);
  const definitions = additional.filter(({ name }) => Object.hasOwn(configuredProps, name));
  const wrongAdditional = await accountProblems(accounts, { userId, definitions, props });
  if (wrongAdditional.length > 0) throw invalidProps(wrongAdditional);
  return additional;
}

/** One detail per wrong value and per missing prop. The message names the wrong values, or the missing props when no value is wrong. */
export function invalidProps(wrong: readonly ErrorDetail[], missing: readonly string[] = []): ServiceError {
  const message = wrong.length > 0 ? sentence(wrong) : allRequired(missing);
  return new ServiceError('invalid', 'invalid_request', message, {
    details: [...wrong, ...missingDetails(missing)],
  });
}

/** `configured_props.a, configured_props.b and configured_props.c are required.` */
function allRequired(missing: readonly string[]): string {
  const paths = missingDetails(missing).map(({ path }) => path);
  const list = paths.join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `${list} ${paths.length === 1 ? 'is' : 'are'} required.`;
}
