import { closeSync, fstatSync, readdirSync, readlinkSync } from 'node:fs';

/**
 * Closes the files that this process inherited from its parent: the store opens its files without close-on-exec. Node
 * itself keeps no file open. Elsewhere than on Linux Node starts processes without them.
 */
export function closeInheritedFiles(): void {
  for (const name of descriptors()) {
    const descriptor = Number(name);
    if (descriptor <= 2 || !isFile(name, descriptor)) continue;
    closeSync(descriptor);
  }
}

function descriptors(): string[] {
  try {
    return readdirSync('/proc/self/fd');
  } catch {
    return [];
  }
}

function isFile(name: string, descriptor: number): boolean {
  try {
    // Pipes, sockets and events are named `kind:[id]`.
    if (!readlinkSync(`/proc/self/fd/${name}`).startsWith('/')) return false;
    const found = fstatSync(descriptor);
    return found.isFile() || found.isDirectory();
  } catch {
    return false;
  }
}
