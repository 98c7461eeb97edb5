import { assemblyOf } from './assembly.ts';
import { runService } from './run-service.ts';

await runService(process.argv.slice(2), assemblyOf);
