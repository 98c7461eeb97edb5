/** The processor of every function on AWS. */
export const ARCHITECTURE = 'arm64';

/** An operating system and a processor, as Node and npm name them: `darwin-arm64`. */
export type Platform = `${string}-${string}`;

/** The platform of every function on AWS. */
export const LAMBDA_PLATFORM: Platform = `linux-${ARCHITECTURE}`;

/** The platform of functions under `npm start`: this machine. */
export const machinePlatform = (): Platform => `${process.platform}-${process.arch}`;
