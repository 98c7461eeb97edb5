/** esbuild puts the imported stylesheet beside the script. */
declare module '*.css';

/** The build puts the texts of the components in `docs/examples` here. */
declare module 'console:examples' {
  const texts: readonly string[];
  export default texts;
}
