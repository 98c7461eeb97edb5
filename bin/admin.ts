import { administer } from './admin/administer.ts';
import { assemblyOf } from './assembly.ts';

await administer(process.argv.slice(2), { assemblyOf, program: 'npm run --silent admin --' });
