import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Component } from '../../../shared/domain/component/component.ts';
import { ComponentId, UserId } from '../../../shared/domain/id.ts';
import { WebhookUrl } from '../../../shared/domain/url.ts';
import { createStorage } from '../../../shared/service/admission/storage.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand } from '../operator-command.ts';
import type { Operator } from '../operator.ts';

/** Owner of components that the operator publishes from a file or a URL. This user has no API key. */
const REGISTRY_OWNER = UserId.parse('u_registry');

export const publishComponent = operatorCommand({
  usage: 'publish',
  about: 'Publish a component in the registry under its key; it replaces the previous one.',
  options: [
    ['--id <id>', 'a saved component, sc_…'],
    ['--file <path>', 'a file'],
    ['--url <url>', 'an address'],
  ],
  input: z
    .strictObject({
      id: ComponentId.optional(),
      file: z.string().min(1, 'is empty').optional(),
      url: WebhookUrl.optional(),
    })
    .refine(({ id, file, url }) => [id, file, url].filter((value) => value !== undefined).length === 1, {
      error: 'Give one of --id, --file and --url',
    }),
  examples: [
    ['tributary admin components publish --file orders.mjs', 'builds and publishes a file'],
    ['tributary admin components publish --id sc_…', 'publishes the component of a user'],
  ],
  run: async (operator, { id, file, url }) => {
    const component =
      id === undefined ? await buildComponent(operator, { file, url }) : await operator.components.find(id);
    if (!component) throw refusedFailure(`There is no component ${id}.`);
    const { key, name } = component.description;
    if (!(await operator.components.publish(component)))
      throw refusedFailure(`The component ${name} has no key; add one, because the registry lists components by key.`);
    return {
      json: { id: component.id, key, name },
      text: `Published ${name} (${component.id}) as ${key}.`,
    };
  },
});

async function buildComponent(
  { builder, runner, bucket, components, random, now }: Operator,
  { file, url }: { file: string | undefined; url: string | undefined },
): Promise<Component> {
  const code = file === undefined ? undefined : await textOf(file);
  const limits = { components: Number.MAX_SAFE_INTEGER };
  // Published components belong to no user.
  const storage = createStorage({
    storedBytes: () => Promise.resolve({ total: 0, byEmitter: new Map(), emitters: 0 }),
    limit: Number.MAX_SAFE_INTEGER,
    now,
  });
  const services = { bucket, components, builder, runner, limits, storage, random, now };
  // It loads clients of AWS, which the words of the commands do not need.
  const { makeComponent } = await import('../../../shared/service/components/make-component.ts');
  return makeComponent(services, {
    ownerId: REGISTRY_OWNER,
    code,
    path: undefined,
    files: undefined,
    url,
  });
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw refusedFailure(`The file ${path} cannot be read.`);
  }
}
