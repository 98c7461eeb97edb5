import { build, type BuildOptions } from 'esbuild';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const Author = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: Author.default('unknown'),
});

interface Notice {
  /** Name, version and licence. */
  title: string;
  /** The texts that the licence wants copies to have. */
  text: string;
}

/** The licences of all packages whose code the builds put into their outputs. Equal texts are printed once. */
export async function thirdPartyNotices(root: string, builds: readonly BuildOptions[]): Promise<string> {
  const found = await Promise.all(builds.map((options) => packagesIn(root, options)));
  const folders = [...new Set(found.flat())];
  const notices = await Promise.all(folders.map((folder) => noticeOf(join(root, folder))));
  const titles = new Map<string, string[]>();
  for (const { title, text } of notices) titles.set(text, [...(titles.get(text) ?? []), title]);
  const sections = [...titles]
    .map(([text, all]) => `${[...new Set(all)].sort().join('\n')}\n\n${text}`)
    .sort()
    .map((section) => `${'-'.repeat(80)}\n${section}\n`);
  return ['This package contains code of the packages below.\n', ...sections].join('\n');
}

/** Folders of packages, relative to the root. */
async function packagesIn(root: string, options: BuildOptions): Promise<string[]> {
  const analysed = { absWorkingDir: root, metafile: true, write: false } as const;
  const { metafile } = await build({ ...options, ...analysed });
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs).flatMap(folderOf));
}

/** A package may lie in the folder of another one. */
const folderOf = (path: string): string[] => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.slice(0, 1) ?? [];

async function noticeOf(folder: string): Promise<Notice> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { name, version, license, author } = Manifest.parse(manifest);
  const title = `${name} ${version} (${license})`;
  const texts = await licenceTexts(folder);
  if (texts.length > 0) return { title, text: texts.join('\n\n') };
  return { title, text: `Author: ${author}\nLicence: https://spdx.org/licenses/${license}.html` };
}

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
/** The section "License" of a README, up to the next heading. */
const LICENCE_SECTION = /^(?:#+ *licen[cs]e *|licen[cs]e *\n-+)\n+([^]*?)(?=\n#|(?![^]))/im;

/** The licence files of a package, else the section of its README. Some packages have neither. */
async function licenceTexts(folder: string): Promise<string[]> {
  const all = await readdir(folder);
  const textOf = (file: string) => readFile(join(folder, file), 'utf8');
  const texts = await Promise.all(
    all
      .filter((file) => LICENCE_FILE.test(file))
      .sort()
      .map(textOf),
  );
  if (texts.length > 0) return texts.map((text) => text.trim());
  const readme = all.find((file) => /^readme\b/i.test(file));
  const [, section = ''] = LICENCE_SECTION.exec(readme === undefined ? '' : await textOf(readme)) ?? [];
  return section.trim() === '' ? [] : [section.trim()];
}
