import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GuidePage, pagesOf, readGuide } from './guide.ts';
import { guidePage, type GuidePageOptions } from './guide-page.ts';

const IMAGES = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs', 'images');
const PICTURE = /\.(?:png|svg|webp)$/;

/** Writes each page as `NAME.html`, and the pictures. Returns the names of the pages' files. */
export async function writeGuide(folder: string, options: GuidePageOptions): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const guide = await readGuide();
  const pages = [guide.index, ...pagesOf(guide)];
  await Promise.all([
    ...pages.map((page) => writeFile(join(folder, fileOf(page)), guidePage(guide, page, options))),
    ...(await readdir(IMAGES))
      .filter((name) => PICTURE.test(name))
      .map((name) => copyFile(join(IMAGES, name), join(folder, name))),
  ]);
  return pages.map(fileOf);
}

const fileOf = ({ name }: GuidePage): string => `${name}.html`;
