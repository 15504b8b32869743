import { JSON_TYPE } from './route.js';

/** The versioned JSON types; which members there are depends on the version. */
export const V2_1 = 'application/vnd.tessera-2.1+json';
const V3_0 = 'application/vnd.tessera-3.0+json';
export const V4_0 = 'application/vnd.tessera-4.0+json';

export const VERSIONED = [JSON_TYPE, V2_1, V3_0, V4_0] as const;

/** The class that texts about bad members of a request name. */
export function resourceOf(mediaType: string): string {
  if (mediaType === JSON_TYPE) return 'TransactionResource';
  return mediaType === V4_0 ? 'TransactionResource4' : 'TransactionResource3';
}
