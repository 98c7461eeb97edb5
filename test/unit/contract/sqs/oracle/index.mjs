export { startFauxqs } from 'fauxqs';
