import * as z from 'zod';
import { PropDefinition } from '../domain/prop-definition.ts';
import { PendingRevision, Source, SourceConfiguration } from '../domain/source.ts';
import { sourceKey } from './keys.ts';

/** Values of props rest as JSON text: a table's numbers and maps would not give back all of JSON. */
const StoredConfiguration = SourceConfiguration.extend({
  configuredProps: z.string(),
  additionalProps: z.string().optional(),
});
const StoredPending = PendingRevision.extend({ configuration: StoredConfiguration });
const StoredSource = Source.extend({ configuration: StoredConfiguration, pending: StoredPending.optional() });

export const storedConfiguration = ({
  configuredProps,
  additionalProps,
  ...rest
}: SourceConfiguration): z.infer<typeof StoredConfiguration> => ({
  ...rest,
  configuredProps: JSON.stringify(configuredProps),
  ...(additionalProps === undefined ? {} : { additionalProps: JSON.stringify(additionalProps) }),
});

export const storedPending = (pending: PendingRevision): z.infer<typeof StoredPending> => ({
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

export function fromSourceItem(item: unknown): Source {
  const { pending, configuration, ...plain } = StoredSource.parse(item);
  return Source.parse({
    ...plain,
    configuration: readConfiguration(configuration),
    ...(pending ? { pending: { ...pending, configuration: readConfiguration(pending.configuration) } } : {}),
  });
}

const readConfiguration = ({
  configuredProps,
  additionalProps,
  ...rest
}: z.infer<typeof StoredConfiguration>) => ({
  ...rest,
  configuredProps: z.record(z.string(), z.unknown()).parse(JSON.parse(configuredProps)),
  ...(additionalProps === undefined
    ? {}
    : { additionalProps: z.array(PropDefinition).parse(JSON.parse(additionalProps)) }),
});
