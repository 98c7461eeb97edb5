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
  given: ConfiguredProps;
  /** What an update does not name stays. */
  kept?: ConfiguredProps;
  /** The answer is due then, epoch ms. */
  deadline: number;
}

/** What has to be asked before a source can be planned: which props there are with these values, and whether its accounts can be used. */
export async function readConfiguration(
  { configurator, accounts }: ReadConfigurationContext,
  { component, userId, given, kept = {}, deadline }: ReadConfigurationInput,
): Promise<PropDefinition[] | undefined> {
  const { description } = component;
  const read = configureProps(description, given, kept);
  if (!read.ok) throw invalidProps(read.details);
  await check(description.props, read.props);
  if (!asksForProps(description)) return undefined;
  const additional = await configurator.additionalProps({ component, userId, props: read.props, deadline });
  const made = additional.filter(({ name }) => Object.hasOwn(given, name));
  await check(made, read.props);
  return additional;

  async function check(definitions: readonly PropDefinition[], props: ConfiguredProps): Promise<void> {
    const problems = await accountProblems(accounts, { userId, definitions, props });
    if (problems.length > 0) throw invalidProps(problems);
  }
}

export const invalidProps = (details: readonly ErrorDetail[]) =>
  new ServiceError('invalid', 'invalid_request', sentence(details), { details });
