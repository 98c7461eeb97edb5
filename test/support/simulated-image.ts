import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Instruction, stagesOf } from './containerfile.ts';
import { registryCertificates } from './registry-certificates.ts';

const run = promisify(execFile);

/** The user `node` of the base image. */
export const NODE_USER = 1000;

/** apt-get of the simulated base: a package must be installed on this machine. */
const APT_GET = `#!/bin/sh
[ "$1" = update ] && exit 0
shift
for name in "$@"; do
  case "$name" in -*) continue ;; esac
  [ -d "/usr/share/doc/$name" ] || { echo "apt-get: $name is not installed on this machine" >&2; exit 100; }
done
`;

interface BuildOptions {
  file: string;
  /** Folder that COPY copies from. */
  context: string;
  /** Holds the root directories of the stages. */
  folder: string;
}

/**
 * Executes the instructions of a Containerfile in order, each stage in an empty root directory, without a container
 * engine. Two things are simulated: the base image (this machine's /usr with its Node and npm, its certificates and
 * name servers, and the users root and node), and apt-get. It must run as root.
 */
export async function buildImage({ file, context, folder }: BuildOptions): Promise<SimulatedImage> {
  const stages = new Map<string, SimulatedImage>();
  let image: SimulatedImage | undefined;
  for (const [from, ...instructions] of stagesOf(file)) {
    const folders = {
      '': context,
      ...Object.fromEntries([...stages].map(([name, { root }]) => [name, root])),
    };
    image = new SimulatedImage(mkdtempSync(join(folder, 'root-')), folders);
    stages.set(/ AS (\w+)$/.exec(from?.text ?? '')?.[1] ?? '', image);
    for (const instruction of instructions) await image.execute(instruction);
  }
  if (!image) throw new Error(`${file} has no stage`);
  return image;
}

export class SimulatedImage {
  readonly root: string;
  user = 'root';
  entrypoint: string[] = [];
  command: string[] = [];
  healthCheck: string[] = [];
  readonly volumes: string[] = [];
  readonly ports: string[] = [];
  readonly #env: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  readonly #folders: Readonly<Record<string, string>>;
  #workingDirectory = '/';

  /** `folders`: what COPY copies from, by the name of the stage. */
  constructor(root: string, folders: Readonly<Record<string, string>>) {
    this.root = root;
    this.#folders = folders;
    chmodSync(root, 0o755);
    for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
    for (const name of ['usr', 'etc/ssl', 'root', 'home/node', 'proc', 'dev', 'tmp', 'var/lib/apt', 'cache'])
      mkdirSync(join(root, name), { recursive: true });
    chmodSync(join(root, 'tmp'), 0o1777);
    this.#write('etc/passwd', 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
    this.#write('etc/group', 'root:x:0:\nnode:x:1000:\n');
    for (const name of ['resolv.conf', 'hosts', 'nsswitch.conf']) this.#write(`etc/${name}`, '');
    this.#write('etc/apt-get', APT_GET);
    chmodSync(join(root, 'etc', 'apt-get'), 0o755);
  }

  async execute({ name, text }: Instruction): Promise<void> {
    const steps: Record<string, () => void | Promise<void>> = {
      WORKDIR: () => {
        this.#workingDirectory = this.#pathOf(text);
        mkdirSync(join(this.root, this.#workingDirectory), { recursive: true });
      },
      COPY: () => {
        this.#copy(text);
      },
      RUN: () => this.#run(text),
      ENV: () => {
        this.#set(text);
      },
      USER: () => void (this.user = text),
      VOLUME: () => void this.volumes.push(text),
      EXPOSE: () => void this.ports.push(...text.split(' ')),
      HEALTHCHECK: () => void (this.healthCheck = words(text.replace(/^.*? CMD /, ''))),
      ENTRYPOINT: () => void (this.entrypoint = words(text)),
      CMD: () => void (this.command = words(text)),
    };
    const step = steps[name];
    if (!step) throw new Error(`The instruction ${name} is not simulated`);
    await step();
  }

  /**
   * Starts a process of the image as its user, with a root that cannot be written to. `volume` is bound at every
   * volume.
   */
  start(argv: readonly string[], { volume, env }: { volume: string; env: Record<string, string> }): ChildProcess {
    const id = this.user === 'node' ? NODE_USER : 0;
    const args = [
      ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent'],
      ...['--ro-bind', this.root, '/', '--tmpfs', '/tmp', ...this.#base()],
      ...this.volumes.flatMap((path) => ['--bind', volume, path]),
      ...['--chdir', this.#workingDirectory, ...argv],
    ];
    return spawn('bwrap', args, {
      uid: id,
      gid: id,
      cwd: '/',
      env: { ...ofMachine(), ...registryCertificates(), HOME: '/home/node', ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  #copy(text: string): void {
    const [, from = '', source = '', target = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text) ?? [];
    const folder = this.#folders[from];
    if (folder === undefined) throw new Error(`There is no stage ${from}`);
    cpSync(join(folder, source), join(this.root, this.#pathOf(target)), { recursive: true });
  }

  #set(text: string): void {
    for (const [, key = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g))
      this.#env[key] = value.replace(/\$(\w+)/g, (_, name: string) => this.#env[name] ?? '');
  }

  async #run(command: string): Promise<void> {
    const args = [
      ...['--bind', this.root, '/', ...this.#base()],
      // The packages that npm has fetched already.
      ...['--bind', join(homedir(), '.npm'), '/cache'],
      ...['--ro-bind', join(this.root, 'etc', 'apt-get'), '/usr/bin/apt-get'],
      ...['--chdir', this.#workingDirectory, 'sh', '-ec', command],
    ];
    const npm = { npm_config_cache: '/cache', npm_config_prefer_offline: 'true' };
    await run('bwrap', args, {
      env: { ...ofMachine(), HOME: '/root', ...npm, ...this.#env },
      maxBuffer: 64 * 1024 * 1024,
    });
  }

  #base(): string[] {
    const files = ['/usr', '/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl'];
    return [...files.flatMap((file) => ['--ro-bind', file, file]), '--proc', '/proc', '--dev', '/dev'];
  }

  #pathOf(text: string): string {
    return resolve(this.#workingDirectory, text);
  }

  #write(path: string, content: string): void {
    writeFileSync(join(this.root, path), content);
  }
}

const words = (text: string): string[] => JSON.parse(text) as string[];

/** The registry of this machine, and its way there. */
const ofMachine = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(?:npm_config_registry|SSL_CERT_\w+|https?_proxy|no_proxy)$/i.test(name)
        ? [[name, value]]
        : [],
    ),
  );
