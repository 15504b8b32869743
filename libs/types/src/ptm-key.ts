import type { Brand } from './brand.js';

/** Public key of a private transaction manager participant: 32 bytes as padded standard base64. */
export type PtmKey = Brand<string, 'PtmKey'>;

const PTM_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** Whether the text is the canonical base64 of 32 bytes. */
export function isPtmKey(text: string): boolean {
  return PTM_KEY.test(text);
}

/**
 * The key that the text spells.
 * @throws TypeError when it is not canonical base64 of 32 bytes
 */
export function parsePtmKey(text: string): PtmKey {
  if (!isPtmKey(text)) throw new TypeError(`not a base64 key of 32 bytes: ${text.slice(0, 80)}`);
  return text as PtmKey;
}
