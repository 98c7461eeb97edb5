import { resolve } from 'node:path';
import { buildGuideSite } from '../infra/console-app.ts';

/** `npm run docs`: writes the guide as static files into `.build/docs`, or into the folder that an argument names. */
const [, , folder = '.build/docs'] = process.argv;
await buildGuideSite(resolve(folder));
process.stdout.write(`The guide is in ${folder}: open index.html with any web server.\n`);
