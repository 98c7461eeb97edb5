import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { VERSION } from '../shared/domain/version.ts';

/**
 * `npm run release` in a checkout: packs its commit, and tags it with the note of the changelog. It pushes nothing. The
 * tag comes last, so that a call that was interrupted can be repeated.
 */
const OUTPUT = '.build';
const tag = `v${VERSION}`;
const recording = join('test', 'programs', 'recorded', 'releases', `${VERSION}.json`);
const Manifest = z.object({ version: z.string() });

/** The operator can mend these. */
class ReleaseProblem extends Error {}

/** The standard output. A program says on the standard error why it failed. */
function outputOf(program: string, ...argv: readonly string[]): string {
  try {
    return execFileSync(program, argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  } catch {
    throw new ReleaseProblem(
      `${program} ${argv[0]} failed, and nothing is tagged. Mend what it says above, and repeat the command.`,
    );
  }
}

/** The section of the changelog, without its heading. */
function noteOf(changelog: string): string {
  const [, section = ''] = changelog.split(`\n## ${VERSION}\n`);
  const [note = ''] = section.split('\n## ');
  if (note.trim() === '')
    throw new ReleaseProblem(`docs/changelog.md has no section "## ${VERSION}": it is the note of the release.`);
  return `${note.trim()}\n`;
}

function refuseUnready(): void {
  const { version } = Manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  if (version !== VERSION)
    throw new ReleaseProblem(
      `package.json has the version ${version}, and shared/domain/version.ts ${VERSION}: write the same to both (docs/releases.md).`,
    );
  if (outputOf('git', 'status', '--porcelain') !== '')
    throw new ReleaseProblem('There are changes that are not committed: commit them, or take them back.');
  if (outputOf('git', 'tag', '--list', tag) !== '')
    throw new ReleaseProblem(
      `${tag} is released already: a tag never moves. Choose another version (docs/releases.md).`,
    );
  if (!existsSync(recording))
    throw new ReleaseProblem(
      `There is no ${recording}, which the tests of later releases need: run npm run record-release, and commit it.`,
    );
}

function release(): void {
  refuseUnready();
  // A tag names its maker, and packing takes half a minute.
  outputOf('git', 'var', 'GIT_COMMITTER_IDENT');
  const note = join(OUTPUT, 'note.md');
  mkdirSync(OUTPUT, { recursive: true });
  writeFileSync(note, noteOf(readFileSync(join('docs', 'changelog.md'), 'utf8')));
  const [name = ''] = outputOf('npm', 'pack', '--silent', '--pack-destination', OUTPUT).split('\n').slice(-1);
  const packed = join(OUTPUT, name);
  const checksum = createHash('sha256').update(readFileSync(packed)).digest('hex');
  writeFileSync(`${packed}.sha256`, `${checksum}  ${name}\n`);
  outputOf('git', 'tag', '--annotate', '--cleanup=verbatim', '--file', note, tag);
  process.stdout.write(
    `Tagged ${outputOf('git', 'rev-parse', '--short', 'HEAD')} as ${tag}. Now push the tag, and attach ${packed} and ${packed}.sha256 to its release:\n` +
      `  git push origin ${tag}\n`,
  );
}

try {
  release();
} catch (error) {
  if (!(error instanceof ReleaseProblem)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
