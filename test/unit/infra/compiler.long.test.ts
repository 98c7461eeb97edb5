import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { LAMBDA_PLATFORM, machinePlatform, type Platform } from '../../../infra/architecture.ts';
import { bundleFunctions } from '../../../infra/bundle.ts';
import { addCompiler } from '../../../infra/compiler.ts';
import { PackageUnavailable } from '../../../infra/packages/fetch-package.ts';
import { cacheFolder } from '../../support/cache-folder.ts';
import { trustRegistry } from '../../support/registry-certificates.ts';

trustRegistry();

const folder = mkdtempSync(join(tmpdir(), 'tributary-compiler-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const newFolder = () => mkdtempSync(join(folder, 'builder-'));

/** The processor and format of a program: https://refspecs.linuxfoundation.org/elf/elf.pdf, `e_machine` */
function formatOf(file: string): string {
  const header = readFileSync(file);
  if (header.readUInt32BE(0) === 0x7f454c46) return `ELF, machine ${header.readUInt16LE(18)}`;
  if (header.readUInt32LE(0) === 0xfeedfacf) return `Mach-O, processor ${header.readUInt32LE(4)}`;
  return 'another format';
}
const programIn = (builder: string, platform: Platform) =>
  join(builder, 'node_modules', '@esbuild', platform, 'bin', 'esbuild');

/** A platform whose compiler npm does not install here. */
const foreign = machinePlatform() === 'linux-arm64' ? 'linux-x64' : 'linux-arm64';

describe('the compiler in the bundle of the builder', () => {
  // At least two of the three are foreign to any machine.
  test.each([
    ['linux-arm64', 'ELF, machine 183'],
    ['linux-x64', 'ELF, machine 62'],
    ['darwin-arm64', 'Mach-O, processor 16777228'],
  ] as const)('is a program for %s, wherever it is bundled', async (platform, format) => {
    const builder = newFolder();
    await addCompiler(builder, { platform });
    const program = programIn(builder, platform);
    expect(formatOf(program)).toBe(format);
  });

  test('is one for arm64 when the functions are bundled for AWS, also after they were bundled for this machine', async () => {
    const functions = newFolder();
    // As a bundle for this machine leaves it.
    await addCompiler(join(functions, 'builder'), { platform: machinePlatform() });
    await bundleFunctions(functions, LAMBDA_PLATFORM);
    const builder = join(functions, 'builder');
    expect(formatOf(programIn(builder, 'linux-arm64'))).toBe('ELF, machine 183');
    expect(readdirSync(join(builder, 'node_modules', '@esbuild'))).toEqual([LAMBDA_PLATFORM]);
  });

  test('can be read and started by every user, as Lambda does, also when only its owner could read the fetched files', async () => {
    const [cache, builder] = [newFolder(), newFolder()];
    const { version } = JSON.parse(readFileSync('node_modules/esbuild/package.json', 'utf8')) as {
      version: string;
    };
    const fetched = join(cache, `@esbuild-${foreign}-${version}`);
    mkdirSync(join(fetched, 'bin'), { recursive: true, mode: 0o700 });
    writeFileSync(join(fetched, 'bin', 'esbuild'), 'program', { mode: 0o700 });
    writeFileSync(join(fetched, 'package.json'), '{}', { mode: 0o600 });
    await addCompiler(builder, { platform: foreign, cache });
    const program = programIn(builder, foreign);
    expect(readFileSync(program, 'utf8')).toBe('program');
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(program)).toBe(0o755);
    expect(modeOf(join(dirname(dirname(program)), 'package.json'))).toBe(0o644);
    for (const folder of [dirname(program), dirname(dirname(program))]) expect(modeOf(folder)).toBe(0o755);
  });

  test('is of the version of the library that starts it', async () => {
    const builder = newFolder();
    await addCompiler(builder, { platform: LAMBDA_PLATFORM });
    const versionOf = (...names: string[]) =>
      (
        JSON.parse(readFileSync(join(builder, 'node_modules', ...names, 'package.json'), 'utf8')) as {
          version: string;
        }
      ).version;
    expect(versionOf('@esbuild', LAMBDA_PLATFORM)).toBe(versionOf('esbuild'));
  });
});

describe('without it', () => {
  test('a sentence says that the registry is out of reach', async () => {
    const away = {
      cache: newFolder(),
      environment: {
        ...process.env,
        npm_config_registry: 'http://127.0.0.1:1/',
        npm_config_cache: newFolder(),
      },
    };
    const added = addCompiler(newFolder(), { platform: foreign, ...away });
    await expect(added).rejects.toThrow(PackageUnavailable);
    await expect(added).rejects.toThrow(
      new RegExp(
        `^The builder needs esbuild for ${foreign}\\. The package @esbuild/${foreign}@[\\d.]+ could not be fetched from the registry: .*ECONNREFUSED`,
      ),
    );
  });

  test('a sentence says that there is none for the platform', async () => {
    await expect(addCompiler(newFolder(), { platform: 'plan9-mips' })).rejects.toThrow(
      'The builder needs esbuild for plan9-mips. package-lock.json does not pin @esbuild/plan9-mips.',
    );
  });

  test('a fetched one is kept for the next bundle', async () => {
    const offline = { npm_config_registry: 'http://127.0.0.1:1/', npm_config_cache: newFolder() };
    await addCompiler(newFolder(), { platform: foreign });
    await addCompiler(newFolder(), {
      platform: foreign,
      cache: cacheFolder('packages'),
      environment: { ...process.env, ...offline },
    });
  });
});
