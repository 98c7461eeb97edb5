import { resolve } from 'node:path';
import type { Message } from 'esbuild';
import * as z from 'zod';
import { COMPONENT, ENTRY, type SourceFiles } from './component-plugin.ts';
import type { RequireCall } from './computed-requires.ts';
import { type BuildFailure, buildFailureOf, positionText } from './failure.ts';
import type { OwnModules } from './own-modules.ts';
import { OUTSIDE } from './packages/package-plugin.ts';
import { withinText } from './source-map-comments.ts';
import type { PackageSpecifier } from './specifier.ts';

/** A package import of the component itself, with its position, `file:line:column`. */
export interface ImportedPackage extends PackageSpecifier {
  position: string;
}

const OpenImport = z.object({ name: z.string(), range: z.string().optional(), subpath: z.string() });

const UNDEFINED = /^Import "(.+)" will always be undefined because there is no matching export in "(.+)"$/;

/** Imports that are not part of the bundle: what they name is nowhere when the component runs. */
export const EMPTY_GLOB = 'empty-glob';
const COMPUTED_REQUIRE = 'unsupported-require-call';
export const COMPUTED_NAMES = ['unsupported-dynamic-import', COMPUTED_REQUIRE, EMPTY_GLOB] as const;

/** Reads the messages of one compilation, and names its files as their author does. */
export class CompilerMessages {
  readonly #sources: SourceFiles;
  readonly #own: OwnModules;
  readonly #workingDirectory: string;

  constructor({ sources, own }: { sources: SourceFiles; own: OwnModules }, workingDirectory: string) {
    this.#sources = sources;
    this.#own = own;
    this.#workingDirectory = workingDirectory;
  }

  readonly nameOf = (file: string): string => {
    if (file.startsWith(`${COMPONENT}:`)) return this.#sources.nameOf(file.slice(COMPONENT.length + 1));
    return this.#own.nameOf(resolve(this.#workingDirectory, file)) ?? file;
  };

  /** A file of the component itself. */
  readonly ownFile = (file: string) =>
    file.startsWith(`${COMPONENT}:`) ? this.#sources.get(file.slice(COMPONENT.length + 1)) : undefined;

  failureOf(errors: readonly Message[]): BuildFailure {
    return buildFailureOf(errors.map(this.#ofBuild).map(ofEntry), this.nameOf);
  }

  refuseUndefined(warnings: readonly Message[]): void {
    const lacking = warnings.filter(({ text }) =>
      this.#own.nameOf(resolve(this.#workingDirectory, UNDEFINED.exec(text)?.[2] ?? '')),
    );
    if (lacking.length > 0) throw buildFailureOf(lacking, this.nameOf);
  }

  /** Returns the positions of computed calls of `require`. A computed import is refused. */
  computedRequiresOf(warnings: readonly Message[], freeRequires: readonly RequireCall[]): string[] {
    const computed = warnings.filter(
      ({ id, location }) => COMPUTED_NAMES.some((name) => name === id) && location?.file.startsWith(`${COMPONENT}:`),
    );
    const imports = computed.filter(({ id }) => id !== COMPUTED_REQUIRE);
    if (imports.length > 0) throw buildFailureOf(imports.map(this.#ofBuild), this.nameOf);
    return [
      ...computed.map((warning) => positionText(this.#ofBuild(warning), this.nameOf)),
      ...freeRequires.map(({ file, line, column }) => `${this.nameOf(file)}:${line}:${column + 1}`),
    ];
  }

  openImports(warnings: readonly Message[]): ImportedPackage[] {
    return warnings.flatMap((warning) => {
      const { success, data } = OpenImport.safeParse(warning.detail);
      return success ? [{ ...data, range: data.range, position: positionText(warning, this.nameOf) }] : [];
    });
  }

  /**
   * An error within the text of a file of this build. The compiler's words for another file, such as a package.json,
   * may quote it.
   */
  readonly #ofBuild = (message: Message): Message => {
    const file = message.location?.file ?? ENTRY;
    if (file.startsWith(`${COMPONENT}:`)) return withinText(message, this.ownFile(file)?.text ?? '');
    const isInside = file === ENTRY || /^(?:node_modules\/|<data:)/.test(file) || this.nameOf(file) !== file;
    return isInside ? message : { ...message, location: null, text: OUTSIDE };
  };
}

/** Removes positions in the generated entry stub: an error there is one of the component's entry file. */
function ofEntry(message: Message): Message {
  return message.location?.file === ENTRY ? { ...message, location: null } : message;
}
