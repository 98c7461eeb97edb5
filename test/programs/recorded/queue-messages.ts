import { Ajv2020 } from 'ajv/dist/2020.js';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { DeliveryMessage, JobsMessage, RetriesMessage } from '../../../shared/domain/run/message.ts';
import { RunsMessage } from '../../../shared/domain/run/runs-message.ts';

/** Schemas of the messages of each queue. */
export const queues = {
  runs: RunsMessage,
  deliveries: DeliveryMessage,
  retries: RetriesMessage,
  timers: JobsMessage,
} as const;
export type QueueName = keyof typeof queues;
export const QueueNames = z.enum(['runs', 'deliveries', 'retries', 'timers']);

export const Message = z.record(z.string(), z.unknown());
export type Message = z.infer<typeof Message>;

/** JSON schema of one kind of message. */
export const KindSchema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ const: z.string().optional() })),
  required: z.array(z.string()),
});
export type KindSchema = z.infer<typeof KindSchema>;

/** JSON schemas by kind. The queue `deliveries` has messages of one kind, which they do not name. */
export type QueueSchemas = Record<QueueName, Record<string, KindSchema>>;
const ONLY_KIND = 'delivery';

export const kindOf = ({ kind = ONLY_KIND }: Message): string => z.string().parse(kind);

/** The JSON schemas of the messages that this release sends and reads. */
export const presentSchemas = (): QueueSchemas => ({
  runs: kindsOf(queues.runs),
  deliveries: kindsOf(queues.deliveries),
  retries: kindsOf(queues.retries),
  timers: kindsOf(queues.timers),
});

const QueueSchema = z.union([z.object({ oneOf: z.array(KindSchema) }), KindSchema]);

function kindsOf(schema: z.ZodType): Record<string, KindSchema> {
  const json = QueueSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const kinds =
    'oneOf' in json && Array.isArray(json.oneOf) ? z.array(KindSchema).parse(json.oneOf) : [KindSchema.parse(json)];
  return Object.fromEntries(kinds.map((kind) => [kind.properties['kind']?.const ?? ONLY_KIND, kind]));
}

const only = (message: Message, names: readonly string[]): Message =>
  Object.fromEntries(Object.entries(message).filter(([name]) => names.includes(name)));

/**
 * The message with the fields that a release knows, and with those that it requires; none if the release does not know
 * its kind.
 */
export function formsOf(message: Message, kinds: Record<string, KindSchema>): Message[] {
  const kind = kinds[kindOf(message)];
  if (kind === undefined) return [];
  const [whole, least] = [only(message, Object.keys(kind.properties)), only(message, kind.required)];
  return isDeepStrictEqual(whole, least) ? [whole] : [whole, least];
}

const ajv = new Ajv2020({ strict: false });

/** Why a release cannot read a message; undefined if it can. */
export function problemOf(message: Message, kinds: Record<string, KindSchema>): string | undefined {
  const kind = kinds[kindOf(message)];
  if (kind === undefined) return `kind ${kindOf(message)} is unknown`;
  const isValid = ajv.compile(kind);
  return isValid(message) ? undefined : ajv.errorsText(isValid.errors);
}
