import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';

/**
 * Ends the children within two seconds after this process dies, however it dies. An idle child sees the end of its pipe, but a child in an
 * endless loop does not. A shell with their process ids therefore waits for the end of its own input, which the kernel closes; it then ends
 * the children and removes their files.
 */
export class ProcessReaper {
  #shell: ChildProcess | undefined;
  readonly #pids = new Set<number>();
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#start();
  }

  add(pid: number): void {
    this.#pids.add(pid);
    this.#send(`+ ${pid}`);
  }

  /** Forgets an ended child: the system may give its process id to another process. */
  remove(pid: number): void {
    if (this.#pids.delete(pid)) this.#send(`- ${pid}`);
  }

  /** Removes an ended child's files. The shell does it, because there may be many. */
  discard(directory: string): void {
    if (this.#shell) this.#send(`x ${directory}`);
    else rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }

  /** Ends the shell, which first does the same as after this process's death. */
  async close(): Promise<void> {
    const shell = this.#shell;
    this.#shell = undefined;
    if (!shell) return;
    await new Promise((resolve) => {
      shell.once('exit', resolve);
      shell.ref();
      shell.stdin?.end();
    });
  }

  #send(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }

  #start(): void {
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'process-reaper', this.#directory], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
    this.#shell = shell;
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    shell.stdin?.on('error', () => undefined);
    shell.once('error', () => (this.#shell = undefined));
    shell.once('exit', () => {
      if (this.#shell !== shell) return;
      this.#start();
      for (const pid of this.#pids) this.#send(`+ ${pid}`);
    });
  }
}

const SCRIPT = `
trap '' INT TERM HUP
pids=' '
while read -r command argument; do
  case $command in
    x) rm -rf "$argument" & ;;
    +) pids="$pids$argument " ;;
    -) case $pids in *" $argument "*) pids="\${pids%% $argument *} \${pids#* $argument }" ;; esac ;;
  esac
done
for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
wait
rm -rf "$1"
`;
