import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { UserId, WorkflowId } from '../../../shared/domain/id.ts';
import type { Source } from '../../../shared/domain/source/source.ts';
import { WorkflowSettings } from '../../../shared/domain/subscription/workflow.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import type { Operator } from '../operator.ts';
import { operatorCommand } from '../operator-command.ts';
import { reasonOf } from '../reason.ts';
import { createWorkflow } from './workflow-commands.ts';
import { notFound } from '../../../shared/domain/errors.ts';

const IdDocument = z.strictObject({
  version: z.literal(1),
  endpoints: z.array(z.strictObject({ source: z.string(), id: z.string().regex(/^[0-9a-f]{32}$/) })),
  workflows: z.array(
    z.strictObject({ id: WorkflowId, ...WorkflowSettings.shape, credential_hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});
type IdDocument = z.output<typeof IdDocument>;

const FLAG: [string, string] = ['--keep-ids', 'ids of endpoints and workflows, which are credentials'];
const input = {
  user: z.string('is needed').pipe(UserId),
  keepIds: z.literal(true, 'is needed: `tributary export` and `import` of the user move the rest'),
};

export const exportIds = operatorCommand({
  usage: 'export',
  about: "Print the ids of a user's endpoints and workflows, for addresses that stay. Keep them as a secret.",
  options: [['--user <id>', 'id of the user, u_…'], FLAG],
  input: z.strictObject(input),
  examples: [
    ['tributary admin users export --user u_… --keep-ids > ids.json', 'of the service of DATA_DIR'],
    ['tributary admin users export --user u_… --keep-ids --stack TributaryProd > ids.json', 'of a stack on AWS'],
  ],
  run: async (operator, { user }) => {
    const endpoints = [...(await endpointsOf(operator, user))].map(([source, { endpointId: id = '' }]) => ({
      source,
      id,
    }));
    const workflows = [];
    for (const id of await operator.workflows.ids(user)) {
      const found = await operator.workflows.find(id);
      if (!found) continue;
      const { name, target, credentialHash } = found;
      workflows.push({ id, name, target, credential_hash: credentialHash });
    }
    const json = { version: 1, endpoints, workflows } satisfies IdDocument;
    return { json, text: JSON.stringify(json, undefined, 2) };
  },
});

/** The sources of a user that have an endpoint, by slug. */
async function endpointsOf({ users, sources }: Operator, user: UserId): Promise<Map<string, Source>> {
  if (!(await users.find(user))) throw notFound(`user ${user}`);
  const found = new Map<string, Source>();
  for (const id of await sources.ids(user)) {
    const source = await sources.find(id);
    if (source?.endpointId !== undefined && source.state !== 'deleting')
      found.set(source.configuration.nameSlug, source);
  }
  return found;
}

export const importIds = operatorCommand({
  usage: 'import',
  about: 'Give the endpoints and workflows of a user the ids of another service. Import the sources before.',
  options: [['--user <id>', 'id of the user here, u_…'], ['--file <path>', 'output of `users export`'], FLAG],
  input: z.strictObject({ ...input, file: z.string('is needed').min(1, 'is empty') }),
  examples: [
    ['tributary admin users import --user u_… --keep-ids --file ids.json', 'repeat it after what was left out'],
    ['tributary admin users import --user u_… --keep-ids --file ids.json --stack TributaryProd', 'on AWS'],
  ],
  run: async (operator, { user, file }) => {
    const { endpoints, workflows } = await readIds(file);
    const own = await endpointsOf(operator, user);
    const leftOut: string[] = [];
    for (const { source: slug, id } of endpoints) {
      const source = own.get(slug);
      if (!source) leftOut.push(`The user has no source ${slug} with an endpoint.`);
      else if (source.endpointId !== id && !(await operator.sources.setEndpoint(source, id)))
        leftOut.push(
          `The endpoint of the source ${slug} was not changed: its id is in use, or the source has changed.`,
        );
    }
    const secrets: Record<string, string> = {};
    for (const { id, credential_hash: credentialHash, name, target } of workflows) {
      if ((await operator.workflows.find(id))?.ownerId === user) continue;
      const secret = await createWorkflow(operator, { id, ownerId: user, credentialHash, name, target });
      if (secret === undefined) leftOut.push(`The id of the workflow ${id} is in use.`);
      else secrets[id] = secret;
    }
    return {
      json: { left_out: leftOut, secrets },
      text: [
        `Set the ids of ${endpoints.length} endpoints and ${workflows.length} workflows, except for:`,
        ...(leftOut.length === 0 ? ['nothing'] : leftOut),
        ...Object.entries(secrets).map(
          ([id, secret]) => `The secret that signs deliveries of ${id}, shown only once: ${secret}`,
        ),
      ].join('\n'),
      isFailed: leftOut.length > 0,
    };
  },
});

async function readIds(file: string): Promise<IdDocument> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw refusedFailure(`The file ${file} cannot be read: ${reasonOf(cause)}`);
  });
  try {
    return IdDocument.parse(JSON.parse(text));
  } catch {
    throw refusedFailure(`The file ${file} is not the output of \`admin users export --keep-ids\`.`);
  }
}
