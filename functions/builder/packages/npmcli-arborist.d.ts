/** The part of Arborist that the builder uses. The published types install 10 MB of packages. */
declare module '@npmcli/arborist' {
  interface Options {
    readonly path: string;
    readonly cache: string;
    readonly registry: string;
    readonly agent?: object;
    readonly proxy?: string | undefined;
    readonly httpsProxy?: string | undefined;
    readonly noProxy?: string | undefined;
    readonly ignoreScripts: boolean;
    readonly binLinks: boolean;
    readonly audit: boolean;
    readonly save: boolean;
    readonly packageLock: boolean;
    readonly omit: readonly ('dev' | 'optional' | 'peer')[];
    readonly force: boolean;
    readonly allowGit: 'none';
    readonly allowRemote: 'none';
    readonly allowFile: 'none';
    readonly allowDirectory: 'none';
    readonly fetchRetries: number;
    readonly timeout: number;
  }

  interface Node {
    readonly isRoot: boolean;
    readonly name: string;
    readonly version: string | undefined;
    readonly integrity: string | null | undefined;
    /** Its manifest, as the registry has it. */
    readonly package: unknown;
    /** Also of packages for other platforms, which are not installed. */
    readonly optional: boolean;
  }

  interface Tree {
    readonly inventory: ReadonlyMap<string, Node>;
  }

  export default class Arborist {
    constructor(options: Options);
    /** Resolves all versions. `reify` installs the result. */
    buildIdealTree(): Promise<Tree>;
    reify(): Promise<Tree>;
  }
}
