import type { Output } from '../call.ts';

/** Another order of what DynamoDB does not order: names, members of sets, and the items of a BatchGetItem. */
export function inOtherOrder(output: Output): Output {
  const { Responses, ...rest } = output;
  if (typeof Responses !== 'object' || Responses === null) return Object.assign({}, reversed(rest));
  const tables = Object.entries(Responses).map(([name, items]: [string, unknown]) => [
    name,
    Array.isArray(items) ? items.map(reversed).reverse() : items,
  ]);
  return { ...rest, Responses: Object.fromEntries(tables) as unknown };
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value instanceof Set) return new Set([...(value as Set<unknown>)].reverse());
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)]);
  return Object.fromEntries(members.reverse()) as unknown;
}
