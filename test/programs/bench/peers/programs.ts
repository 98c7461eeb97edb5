import type { LoadedProgram } from '../closed-loop.ts';

export type Start = (webhooks: number) => Promise<LoadedProgram>;

/** Starts programs that are compared, all alive together. */
export async function startAll(programs: Readonly<Record<string, Start>>, webhooks: number) {
  const started: { name: string; program: LoadedProgram }[] = [];
  const stop = async () => {
    for (const { program } of started) await program.stop();
  };
  try {
    for (const [name, start] of Object.entries(programs)) started.push({ name, program: await start(webhooks) });
    return { started, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
