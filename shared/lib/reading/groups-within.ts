interface GroupLimits {
  /** One item may be larger. */
  bytes: number;
  items?: number;
}

/** Divides a list into groups, in order. */
export function groupsWithin<Item extends { readonly bytes: number }>(
  list: readonly Item[],
  limits: GroupLimits,
): Item[][] {
  const groups: Item[][] = [];
  let group: Item[] = [];
  let bytes = 0;
  for (const item of list) {
    if (group.length === 0 || group.length === limits.items || bytes + item.bytes > limits.bytes) {
      groups.push((group = []));
      bytes = 0;
    }
    group.push(item);
    bytes += item.bytes;
  }
  return groups;
}
