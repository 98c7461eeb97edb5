import * as z from 'zod';
import { PropDefinition } from '../../domain/component/prop-definition.ts';
import { PendingRevision, Source, SourceConfiguration } from '../../domain/source/source.ts';
import { sourceKey } from '../table/keys.ts';

const jsonText = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);

/** Values of props are stored as JSON text: DynamoDB's numbers and maps do not preserve every JSON value. */
const StoredConfiguration = SourceConfiguration.extend({
  configuredProps: jsonText(SourceConfiguration.shape.configuredProps),
  additionalProps: jsonText(z.array(PropDefinition)).optional(),
});
const StoredSource = Source.extend({
  configuration: StoredConfiguration,
  pending: PendingRevision.extend({ configuration: StoredConfiguration }).optional(),
});

export const storedConfiguration = ({
  configuredProps,
  additionalProps,
  ...rest
}: SourceConfiguration): z.input<typeof StoredConfiguration> => ({
  ...rest,
  configuredProps: JSON.stringify(configuredProps),
  ...(additionalProps === undefined ? {} : { additionalProps: JSON.stringify(additionalProps) }),
});

export const storedPending = (pending: PendingRevision) => ({
  ...pending,
  configuration: storedConfiguration(pending.configuration),
});

export function toSourceItem(source: Source) {
  const { pending, configuration, ...plain } = source;
  return {
    ...sourceKey(source.id),
    ...plain,
    configuration: storedConfiguration(configuration),
    ...(pending ? { pending: storedPending(pending) } : {}),
  };
}

export const fromSourceItem = (item: unknown): Source => StoredSource.parse(item);
