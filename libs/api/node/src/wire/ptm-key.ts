import { isPtmKey, parsePtmKey, type PtmKey } from '@tetrad/types';
import { z } from 'zod';

/** Public key of a private transaction manager participant, base64 of 32 bytes. */
export const ptmKeyCodec = z.codec(
  z.string().refine(isPtmKey, 'must be a PTM key: base64 of 32 bytes'),
  z.custom<PtmKey>((value) => typeof value === 'string'),
  { decode: (text) => parsePtmKey(text), encode: (key) => key },
);
