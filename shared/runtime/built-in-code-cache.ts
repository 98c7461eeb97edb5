import { setFlagsFromString } from 'node:v8';

/*
 * Node has its built-in modules in compiled form. V8 in Node 20 compiles them anew while a flag of V8 differs from its
 * default: a third of the start of a process. The heap got its limits when the process started, and keeps them. Import
 * this module first.
 */
setFlagsFromString('--max-old-space-size=0');
setFlagsFromString('--max-semi-space-size=0');
