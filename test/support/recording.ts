import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { updatesPictures } from './doc-picture.ts';

const FILE = join(import.meta.dirname, '../../docs/images/recording.webp');
const MAX_BYTES = 600_000;

interface Frame {
  picture: Buffer;
  ms: number;
}

/**
 * The recording of the docs: pictures of the steps of a test, one after the other. `npm run pictures` makes it anew,
 * with `img2webp` of Debian's package `webp`; without it, the test only takes the steps.
 */
export class Recording {
  readonly #frames: Frame[] = [];

  /** Shows the page as it is now for a time. */
  async show(page: Page, ms: number): Promise<void> {
    if (updatesPictures) this.#frames.push({ picture: await page.screenshot(), ms });
  }

  end(): void {
    if (updatesPictures) this.#write();
    expect(existsSync(FILE) && statSync(FILE).size).toBeLessThan(MAX_BYTES);
  }

  #write(): void {
    const folder = mkdtempSync(join(tmpdir(), 'recording-'));
    try {
      const frames = this.#frames.flatMap(({ picture, ms }, n) => {
        const file = join(folder, `${n}.png`);
        writeFileSync(file, picture);
        return ['-lossy', '-q', '60', '-d', String(ms), file];
      });
      execFileSync('img2webp', ['-loop', '1', ...frames, '-o', FILE]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
