import type { Input, RequiredPermission } from '../call.ts';
import { queueDoesNotExist, resourceDoesNotExist } from './errors.ts';
import { requiredText } from './input.ts';
import type { Queue } from './queue/queue.ts';

/** The queues of one account and region, by name and ARN. */
export class QueueRegistry {
  readonly #arnPrefix: string;
  readonly #queues = new Map<string, Queue>();
  /** Permissions by action and queue name: every call of an operation on a queue needs the same. */
  readonly #permissions = new Map<string, Map<string, readonly RequiredPermission[]>>();

  constructor({ region, account }: { region: string; account: string }) {
    this.#arnPrefix = `arn:aws:sqs:${region}:${account}:`;
  }

  arnOf(name: string): string {
    return this.#arnPrefix + name;
  }

  has(name: string): boolean {
    return this.#queues.has(name);
  }

  add(queue: Queue): void {
    this.#queues.set(queue.spec.name, queue);
  }

  all(): Iterable<Queue> {
    return this.#queues.values();
  }

  /** The queue that `QueueUrl` names. */
  named(input: Input): Queue {
    const queue = this.#queues.get(nameOf(input));
    if (!queue) throw queueDoesNotExist();
    return queue;
  }

  /** Undefined until the queue is created. */
  findByArn(arn: string): Queue | undefined {
    return arn.startsWith(this.#arnPrefix) ? this.#queues.get(arn.slice(this.#arnPrefix.length)) : undefined;
  }

  /** The queue that a member of the input names by its ARN. */
  namedByArn(input: Input, member: string): Queue {
    const queue = this.findByArn(requiredText(input, member));
    if (!queue) throw resourceDoesNotExist(member);
    return queue;
  }

  byArn(arn: string): Queue {
    const queue = this.findByArn(arn);
    if (!queue) throw queueDoesNotExist();
    return queue;
  }

  permission(input: Input, action: string): readonly RequiredPermission[] {
    const name = nameOf(input);
    let byName = this.#permissions.get(action);
    if (!byName) this.#permissions.set(action, (byName = new Map()));
    const known = byName.get(name);
    if (known) return known;
    const permissions = [{ action, resource: this.arnOf(name) }];
    if (this.#queues.has(name)) byName.set(name, permissions);
    return permissions;
  }
}

function nameOf(input: Input): string {
  const url = requiredText(input, 'QueueUrl');
  return url.slice(url.lastIndexOf('/') + 1);
}
