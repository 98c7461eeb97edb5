import * as z from 'zod';
import { newId, UserId, WorkflowId } from '../../../shared/domain/id.ts';
import { targetOfArn } from '../../../shared/domain/target/aws-target.ts';
import { targetProblem } from '../../../shared/domain/target/target-rule.ts';
import { WebhookUrl } from '../../../shared/domain/url.ts';
import { webhookSecret } from '../../../shared/domain/webhook/webhook.ts';
import type { Workflow, WorkflowSettings } from '../../../shared/domain/subscription/workflow.ts';
import { pathBase } from '../../../shared/domain/source/endpoint-address.ts';
import { hashOfKey } from '../../../shared/domain/user/key-hash.ts';
import { sealedSecret } from '../../../shared/service/delivery/sealed-reader.ts';
import { removeEmitter } from '../../../shared/service/users/remove-emitter.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import type { Operator } from '../operator.ts';
import { operatorCommand } from '../operator-command.ts';

const settings = {
  name: z.string('is needed').min(1, 'is empty').max(255, 'has at most 255 characters'),
  target: z.string('is needed').superRefine((text, context) => {
    const { error } = targetOfArn(text) ? {} : WebhookUrl.safeParse(text);
    for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
  }),
} satisfies Record<keyof WorkflowSettings, z.ZodType>;

export const registerWorkflow = operatorCommand({
  usage: 'register',
  about: 'Register a workflow; print its credential and the secret of its deliveries, once.',
  options: [
    ['--owner <id>', 'id of the user who owns it, u_…'],
    ['--name <name>', 'name'],
    ['--target <url|arn>', 'address, event bus or queue of SQS that gets the events'],
  ],
  input: z.strictObject({ owner: z.string('is needed').pipe(UserId), ...settings }),
  examples: [
    [
      'tributary admin workflows register --owner u_… --name invoices --target https://flows.example.com/in',
      'prints its id and secrets',
    ],
    [
      'tributary admin workflows register --owner u_… --name invoices --target https://flows.example.com/in --json',
      'the same as JSON',
    ],
  ],
  run: async (operator, { owner, ...own }) => {
    const { name } = own;
    const { users, names, now, random } = operator;
    if (!(await users.find(owner))) throw refusedFailure(`There is no user ${owner}.`);
    const id = WorkflowId.parse(newId('workflow', now(), random));
    const credential = Buffer.from(random(32)).toString('base64url');
    const credentialHash = hashOfKey(credential);
    const secret = await createWorkflow(operator, { ...own, id, ownerId: owner, credentialHash });
    const ingestUrl = `${pathBase(names.ingressUrl)}/workflows/${id}`;
    return {
      json: { id, ingest_url: ingestUrl, credential, secret },
      text: [
        `Registered the workflow ${name} (${id}).`,
        `It emits at ${ingestUrl}/emits and reports errors at ${ingestUrl}/errors.`,
        `Its credential, shown only once: ${credential}`,
        `The secret that signs its deliveries, shown only once: ${secret}`,
      ].join('\n'),
    };
  },
});

/** Returns the secret of its deliveries; undefined when there is a workflow of this id. */
export async function createWorkflow(
  { workflows, autoSubscriptions, subscriptions, vault, names, now, random }: Operator,
  own: Pick<Workflow, keyof WorkflowSettings | 'id' | 'ownerId' | 'credentialHash'>,
): Promise<string | undefined> {
  const { id, ownerId, target } = own;
  const receiver = targetOfArn(target);
  if (receiver) {
    const problem = targetProblem(receiver, names.targetRule);
    if (problem?.member === 'role_arn')
      throw refusedFailure('The target is in another account, where only a webhook with a role can send.');
    if (problem) throw refusedFailure(`The target ${problem.message}.`);
  } else if (!names.allowPrivateNetwork && !/^https:/i.test(target))
    throw refusedFailure('The target must begin with https://, because this stage does not allow private addresses.');
  const secret = webhookSecret(random(32));
  const sealed = await sealedSecret(vault, { id, ownerId }, secret);
  if (!(await workflows.create({ ...own, secret: sealed, createdAt: now() }))) return undefined;
  // Applied after the workflow is written, so that an auto-subscription created meanwhile covers it too.
  await autoSubscriptions.applyTo(subscriptions, {
    emitterId: id,
    ownerId,
    now: now(),
    random,
    limit: names.limits.subscriptions,
  });
  return secret;
}

export const listWorkflows = operatorCommand({
  usage: 'list',
  role: 'read',
  about: 'List id, owner, name and target of every workflow.',
  input: z.strictObject({}),
  examples: [
    ['tributary admin workflows list', 'of the service of DATA_DIR'],
    ['tributary admin workflows list --json', 'as JSON'],
  ],
  run: async ({ workflows }) => {
    const all = (await workflows.list()).map(({ id, ownerId, name, target, createdAt }) => ({
      id,
      owner: ownerId,
      name,
      target,
      created_at: Math.floor(createdAt / 1000),
    }));
    return {
      json: all,
      text: all.map(({ id, owner, name, target }) => [id, owner, name, target].join('\t')).join('\n'),
    };
  },
});

export const deleteWorkflow = operatorCommand({
  usage: 'delete',
  about: 'Delete a workflow with its events and subscriptions.',
  options: [['--workflow <id>', 'id of the workflow, p_…']],
  input: z.strictObject({ workflow: z.string('is needed').pipe(WorkflowId) }),
  examples: [
    ['tributary admin workflows delete --workflow p_…', 'repeat it to complete an interrupted deletion'],
    ['tributary admin workflows delete --workflow p_… --stack TributaryProd', 'of a stack on AWS'],
  ],
  run: async (operator, { workflow: id }) => {
    const workflow = await operator.workflows.find(id);
    const removal = (await operator.removals.list()).find(({ emitterId }) => emitterId === id);
    const ownerId = workflow?.ownerId ?? removal?.ownerId;
    if (ownerId === undefined) throw refusedFailure(`There is no workflow ${id}.`);
    await removeEmitter(operator, { emitterId: id, ownerId });
    return { json: { id }, text: `Deleted the workflow ${workflow ? `${workflow.name} (${id})` : id}.` };
  },
});
