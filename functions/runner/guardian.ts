import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';

/**
 * However this process dies, its children must be gone within two seconds. An idle one sees the end of its pipe; one in an
 * endless loop sees nothing. A shell that knows their ids waits for the end of its own input, which the kernel closes, and
 * then ends them and removes their files.
 */
export class Guardian {
  #shell: ChildProcess | undefined;
  readonly #pids = new Set<number>();
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#start();
  }

  add(pid: number): void {
    this.#pids.add(pid);
    this.#say(`+ ${pid}`);
  }

  /** An ended child's id may be given to any process. */
  remove(pid: number): void {
    if (this.#pids.delete(pid)) this.#say(`- ${pid}`);
  }

  /** Removes an ended child's files: there may be many, and this process has other things to do. */
  discard(directory: string): void {
    if (this.#shell) this.#say(`x ${directory}`);
    else rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }

  /** It then does what it does when this process dies. */
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

  #say(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }

  #start(): void {
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'guardian', this.#directory], {
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
      for (const pid of this.#pids) this.#say(`+ ${pid}`);
    });
  }
}

const SCRIPT = `
trap '' INT TERM HUP
pids=' '
while read -r what pid; do
  case $what in
    x) rm -rf "$pid" & ;;
    +) pids="$pids$pid " ;;
    -) case $pids in *" $pid "*) pids="\${pids%% $pid *} \${pids#* $pid }" ;; esac ;;
  esac
done
for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
wait
rm -rf "$1"
`;
