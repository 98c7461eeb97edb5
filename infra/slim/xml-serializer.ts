import { leftOut } from './left-out.ts';

/** Stands in for what writes XML: no operation of S3 in use sends any. */
export class XmlShapeSerializer {
  write = leftOut('Writing XML');
  flush = leftOut('Writing XML');

  setSerdeContext(): void {
    // Nothing here needs it.
  }
}
