/** esbuild puts the imported stylesheet beside the script. */
declare module '*.css';
