import { asksForProps, type Component } from '../../domain/component.ts';
import { type ConfiguredProps, configureProps } from '../../domain/configured-props.ts';
import { type ErrorDetail, ServiceError } from '../../domain/errors.ts';
import type { UserId } from '../../domain/id.ts';
import type { PropDefinition } from '../../domain/prop-definition.ts';
import { sentence } from '../../domain/check.ts';
import { accountProblems } from '../accounts/account-problems.ts';
import type { AccountStore } from '../../store/accounts.ts';
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

/** Validates configured props and their accounts, and reads the component's additional props; undefined when it has none. */
export async function readConfiguration(
  { configurator, accounts }: ReadConfigurationContext,
  { component, userId, configuredProps, storedProps = {}, deadline }: ReadConfigurationInput,
): Promise<PropDefinition[] | undefined> {
  const { description } = component;
  const read = configureProps(description, configuredProps, storedProps);
  if (!read.ok) throw invalidProps(read.details);
  await check(description.props, read.props);
  if (!asksForProps(description)) return undefined;
  const additional = await configurator.additionalProps({ component, userId, props: read.props, deadline });
  const set = additional.filter(({ name }) => Object.hasOwn(configuredProps, name));
  await check(set, read.props);
  return additional;

  async function check(definitions: readonly PropDefinition[], props: ConfiguredProps): Promise<void> {
    const problems = await accountProblems(accounts, { userId, definitions, props });
    if (problems.length > 0) throw invalidProps(problems);
  }
}

export const invalidProps = (details: readonly ErrorDetail[]) =>
  new ServiceError('invalid', 'invalid_request', sentence(details), { details });
