interface GroupLimits {
  /** One item may be larger. */
  bytes: number;
  items?: number;
}

export function groupsWithin<Item>(
  list: readonly Item[],
  limits: GroupLimits,
  bytesOf: (item: Item) => number,
): Item[][] {
  const groups: Item[][] = [];
  let group: Item[] = [];
  let bytes = 0;
  for (const item of list) {
    const size = bytesOf(item);
    if (group.length === 0 || group.length === limits.items || bytes + size > limits.bytes) {
      groups.push((group = []));
      bytes = 0;
    }
    group.push(item);
    bytes += size;
  }
  return groups;
}
