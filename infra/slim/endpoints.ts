import { transform } from 'esbuild';
import * as z from 'zod';
import { type Condition, prunedRules } from './endpoint-rules.ts';

const Diagram = z.object({
  nodes: z.instanceof(Int32Array),
  root: z.number(),
  conditions: z.array(z.tuple([z.string(), z.array(z.unknown()), z.string().optional()])),
  results: z.array(z.array(z.unknown())),
});

/** Parameters of rules, and what those of our clients always are: see shared/aws/clients.ts. */
const PARAMETERS: readonly (readonly [name: string, value: boolean])[] = [
  ['UseFIPS', false],
  ['UseDualStack', false],
  ['Accelerate', false],
  ['ForcePathStyle', true],
  ['UseObjectLambdaEndpoint', false],
  ['UseS3ExpressControlEndpoint', false],
];
/** What only names of other things than plain buckets, and no tables, hold. */
const FOREIGN = ['"--x-s3"', '"--xa-s3"', '"--op-s3"', '"arn:"', '"aws.parseArn"'];

function outcome(condition: Condition): boolean | undefined {
  const text = JSON.stringify(condition);
  if (FOREIGN.some((sign) => text.includes(sign))) return false;
  const [fn, args] = condition;
  if (fn !== 'booleanEquals' || args[1] !== true) return undefined;
  return PARAMETERS.find(([name]) => JSON.stringify(args[0]).includes(`"${name}"`))?.[1];
}

/** A client's endpoint rules, less what holds for addresses that none of ours uses. */
export async function withoutForeignEndpoints(text: string, path: string): Promise<string> {
  const { code } = await transform(text.replace(/^import .*;$/m, ''), { format: 'cjs' });
  const module = { exports: {} };
  const BinaryDecisionDiagram = {
    from: (nodes: unknown, root: unknown, conditions: unknown, results: unknown) => ({
      nodes,
      root,
      conditions,
      results,
    }),
  };
  new Function('module', 'exports', 'BinaryDecisionDiagram', code)(
    module,
    module.exports,
    BinaryDecisionDiagram,
  );
  const { bdd } = z.object({ bdd: Diagram }).parse(module.exports);
  const rules = {
    ...bdd,
    nodes: [...bdd.nodes],
    conditions: bdd.conditions.map(([fn, args, to]): Condition =>
      to === undefined ? [fn, args] : [fn, args, to],
    ),
  };
  const { nodes, root, conditions, results } = prunedRules(rules, {
    outcome,
    leftOut: 'The rules for this endpoint are left out of the bundles of functions (infra/slim)',
  });
  if (nodes.length === rules.nodes.length)
    throw new Error(`infra/slim finds no rule to leave out of ${path}`);
  return [
    'import { BinaryDecisionDiagram } from "@smithy/core/endpoints";',
    `export const bdd = BinaryDecisionDiagram.from(${[nodes, root, conditions, results].map((each) => JSON.stringify(each)).join(', ')});`,
  ].join('\n');
}
