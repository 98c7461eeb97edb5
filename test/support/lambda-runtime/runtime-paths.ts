import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODES } from '../other-node.ts';
import { packageFiles, type PinnedPackage } from '../package-files.ts';

/** The runtime client of AWS, which is also the one of its own Node runtimes. */
const CLIENT: PinnedPackage = {
  name: 'aws-lambda-ric',
  version: '4.0.2',
  integrity: 'sha512-FE5Vskx7mYNnqAnWWJXUOsLp2VGgdsJsCoRLFTa8L4Yk0QVtArqR8q58yPA++QC1a73ZWJXBQ2AH31nIAv7NOQ==',
};

export interface RuntimePaths {
  /** Folder of the function's files. */
  task: string;
  /** Folder of the runtime client. */
  runtime: string;
  node: string;
}

/** A folder that every user can read; paths of the checkout may be closed to them. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lambda-environment-'));
  await chmod(folder, 0o755);
  return folder;
}

/** A copy that every user can read. */
export async function copyOpen(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  await chmod(to, 0o755);
}

let prepared: Promise<Omit<RuntimePaths, 'task'>> | undefined;

/** Node and the runtime client, once for all environments of a test file. */
export const runtimePaths = (): Promise<Omit<RuntimePaths, 'task'>> => (prepared ??= prepareRuntime());

/** At the end of a test file. The next one in this process prepares its own. */
export async function removeRuntime(): Promise<void> {
  const paths = await prepared?.catch(() => undefined);
  prepared = undefined;
  if (paths) await rm(dirname(paths.node), { recursive: true, force: true });
}

async function prepareRuntime(): Promise<Omit<RuntimePaths, 'task'>> {
  const [node, client, root] = await Promise.all([packageFiles(NODES[24]), packageFiles(CLIENT), openFolder()]);
  const paths = { runtime: join(root, 'runtime'), node: join(root, 'node') };
  await Promise.all([copyOpen(client, paths.runtime), copyOpen(join(node, 'bin', 'node'), paths.node)]);
  // The client loads it by this name; `native-client.cjs` stands for its content.
  await writeFile(join(paths.runtime, 'rapid-client.node'), '');
  const native = fileURLToPath(new URL('native-client.cjs', import.meta.url));
  await cp(native, join(paths.runtime, 'native-client.cjs'));
  return paths;
}
