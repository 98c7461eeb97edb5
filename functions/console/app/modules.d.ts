/** esbuild puts the imported stylesheet beside the script. */
declare module '*.css';

/** The build puts the texts of the components in `docs/examples` here. */
declare module 'console:examples' {
  const texts: readonly string[];
  export default texts;
}

/** The build puts the sections of all pages of the guide here. */
declare module 'console:guide' {
  import type { SearchedSection } from './guide/found-sections.ts';

  const sections: readonly SearchedSection[];
  export default sections;
}
