/**
 * Parts of the memory of one runner environment, in MB: measured sizes, rounded up. The program of Node counts once,
 * because all processes share it. The runner keeps each part within its share.
 */
export const RUNNER_MEMORY_MB = {
  /** The host: Node and its own code. */
  host: 96,
  /** Node and the platform's code in the process that runs a component, on top of the component's limit. */
  base: 96,
  /** A process that is started in advance and has loaded no component. */
  spare: 64,
  /** The share of each warm process. All of them together keep at most the sum of their shares. */
  warm: 64,
} as const;

interface RunnerProcesses {
  /** Memory limit of one run. */
  runMemoryMb: number;
  /** Processes that are kept for the next runs of their sources. */
  warmRunners: number;
}

/** Memory of the runner's function: an environment serves one request at a time, so one process runs a component. */
export const runnerMemoryMb = ({ runMemoryMb, warmRunners }: RunnerProcesses): number => {
  const { host, base, spare, warm } = RUNNER_MEMORY_MB;
  return host + base + runMemoryMb + spare + warmRunners * warm;
};
