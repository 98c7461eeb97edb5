import { asksForProps, type Component } from '../../domain/component/component.ts';
import { type ConfiguredProps, missingProps } from '../../domain/component/configured-props.ts';
import type { UserId } from '../../domain/id.ts';
import { descriptionWith } from '../../domain/source/source-revision.ts';
import { accountProblems } from '../accounts/account-problems.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { Configurator } from '../components/configurator.ts';
import { invalidProps, readProps } from '../components/read-props.ts';

export interface ReadConfigurationContext {
  configurator: Pick<Configurator, 'additionalProps'>;
  accounts: Pick<AccountStore, 'find'>;
}

interface ReadConfigurationInput {
  component: Component;
  userId: UserId;
  configuredProps: ConfiguredProps;
  /** Stored values, which an update keeps where the request names no other. */
  storedProps?: ConfiguredProps;
  /** Time by which the request must be answered, epoch ms. */
  deadline: number;
}

/**
 * Validates configured props and their accounts. Returns the values of all props, and the component's additional ones,
 * if it has some. Throws `invalid_request` with a detail per prop that is wrong or required and missing.
 */
export async function readConfiguration(
  { configurator, accounts }: ReadConfigurationContext,
  { component, userId, configuredProps, storedProps = {}, deadline }: ReadConfigurationInput,
) {
  const { description } = component;
  const values = { ...storedProps, ...configuredProps };
  const missing = missingProps(description, values);
  const props = readProps(description, { configuredProps, storedProps }, missing);
  const wrongAccounts = await accountProblems(accounts, { userId, definitions: description.props, props });
  if (wrongAccounts.length > 0) throw invalidProps(wrongAccounts, missing);
  if (!asksForProps(description)) {
    if (missing.length > 0) throw invalidProps([], missing);
    return { props, additionalProps: undefined };
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
  const whole = descriptionWith(component, additional);
  return { props: readProps(whole, { configuredProps, storedProps }), additionalProps: additional };
}
