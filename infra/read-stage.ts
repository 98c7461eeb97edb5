import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod';
import { groups, Stage, StageSettings } from './stage.ts';
import { checkCapacity } from './stage-relations.ts';

/** The folder of stages. */
export const STAGES = fileURLToPath(new URL('stages', import.meta.url));

/** The message names the first wrong setting and what it must be. */
export class StageError extends Error {}

/** A stage of AWS. A service on one machine has limits of its own. */
const Deployed = Stage.superRefine(checkCapacity);

/** Reads the CDK context `stage`: the name of a file in `infra/stages`, JSON text, or an object. */
export function readStage(context: unknown = {}, folder = STAGES): Stage {
  const { success, data, error } = Deployed.safeParse(
    typeof context === 'string' ? settingsIn(context, folder) : context,
  );
  if (success) return data;
  throw new StageError(sentenceOf(error.issues[0]));
}

function settingsIn(context: string, folder: string): unknown {
  const text = context.trim();
  if (text.startsWith('{')) return parsed(text, `stage: must be JSON, for example -c stage='{"stackName":"Mine"}'.`);
  const names = namesIn(folder);
  if (!names.includes(text)) {
    throw new StageError(
      `stage: there is no stage ${JSON.stringify(text)}. There are ${names.join(', ')}: each is a file of infra/stages.`,
    );
  }
  return parsed(readFileSync(join(folder, `${text}.json`), 'utf8'), `stage: infra/stages/${text}.json must be JSON.`);
}

const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();

function parsed(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StageError(otherwise);
  }
}

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  const path = ['stage', ...(issue?.path ?? [])].join('.');
  if (issue?.code === 'invalid_key') return `${path} ${issue.issues[0]?.message ?? 'is wrong'}.`;
  if (issue?.code !== 'unrecognized_keys') return `${path} ${issue?.message ?? 'is wrong'}.`;
  const group = Object.entries(groups).find(([name]) => name === issue.path[0]);
  const known = Object.keys(group?.[1] ?? StageSettings.shape);
  return `${path}.${issue.keys.join(`, ${path}.`)}: no such setting. There are ${known.join(', ')}.`;
}
