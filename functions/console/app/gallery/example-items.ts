import texts from 'console:examples';
import { type GalleryItem, itemOfExample } from './gallery-item.ts';

/** The examples of the documentation. They are loaded when a gallery is opened. */
export const EXAMPLES: readonly GalleryItem[] = texts.flatMap((code) => itemOfExample(code) ?? []);
