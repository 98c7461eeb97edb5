import type { Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modulesLeftOut } from './modules.ts';
import { rewrites } from './rewrites.ts';
import { literally } from './text.ts';

const here = dirname(fileURLToPath(import.meta.url));
const inPackages = (pattern: string) => new RegExp(`/node_modules/(?:${pattern})$`);

/** Modules of this folder in the place of those that packages ask for. */
export const modulesReplaced: readonly { asked: RegExp; from?: RegExp; gets: string }[] = [
  { asked: /^@aws-sdk\/credential-provider-node$/, gets: 'credentials.ts' },
  { asked: /^@aws-sdk\/middleware-endpoint-discovery$/, gets: 'endpoint-discovery.ts' },
  { asked: /^@aws-sdk\/signature-v4-multi-region$/, gets: 'one-region.ts' },
  { asked: /\/S3ExpressIdentityProviderImpl$/, gets: 'no-s3-express.ts' },
  { asked: /^@smithy\/core\/event-streams$/, from: /\/@aws-sdk\/client-lambda\//, gets: 'event-streams.ts' },
  { asked: /^@smithy\/core\/event-streams$/, from: /\/@aws-sdk\/client-/, gets: 'no-event-streams.ts' },
  { asked: /^\.\/XmlShapeSerializer$/, from: /\/XmlCodec\.js$/, gets: 'xml-serializer.ts' },
  { asked: /^undici$/, gets: 'undici.ts' },
];

/**
 * Leaves parts of packages out of the functions' bundles that no function reaches and that would be most of them. What is left out says
 * so if it is reached all the same. Where a package has changed so that a rule finds nothing to do, the build or a test fails.
 */
export const slim: Plugin = {
  name: 'slim',
  setup({ onResolve, onLoad }) {
    for (const { asked, from = /./, gets } of modulesReplaced) {
      onResolve({ filter: asked }, ({ importer }) =>
        from.test(importer) ? { path: join(here, gets) } : undefined,
      );
    }

    for (const module of modulesLeftOut.flatMap(({ modules }) => modules)) {
      onLoad({ filter: inPackages(literally(module)) }, async ({ path }) => ({
        contents: standIn(module, await readFile(path, 'utf8')),
        resolveDir: here,
      }));
    }

    for (const { files, to } of rewrites) {
      onLoad({ filter: inPackages(files) }, async ({ path }) => ({
        ...(await to(await readFile(path, 'utf8'), path)),
        resolveDir: dirname(path),
      }));
    }
  },
};

const EXPORT =
  /^export (?:async )?(?:const|let|var|function\*?|class) ([\w$]+)|^export \{([^}]*)\}(?: from .*)?;$/gm;

/** The same exports, each of which throws when it is touched. */
function standIn(module: string, text: string): string {
  const from = JSON.stringify('./left-out.ts');
  if (/^(?:module\.)?exports\b|^Object\.defineProperty\(module/m.test(text)) {
    return `module.exports = require(${from}).leftOut(${JSON.stringify(module)});`;
  }
  const names = [...text.matchAll(EXPORT)].flatMap(([, one, many = '']) =>
    one ? [one] : many.split(',').map((name) => name.trim().replace(/^.* as /, '')),
  );
  if (names.length === 0 || /^export (?:\*|default)/m.test(text))
    throw new Error(`${module} exports what infra/slim cannot read`);
  return [
    `import { leftOut } from ${from};`,
    ...names.map(
      (name) => `export const ${name} = /* @__PURE__ */ leftOut(${JSON.stringify(`${module} (${name})`)});`,
    ),
  ].join('\n');
}
