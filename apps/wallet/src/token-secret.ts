import { readJson } from '@tetrad/rpc';
import { OptionError, type Secret, type SharedSecret } from '@tetrad/service';
import { z } from 'zod';

/** Claim of the tokens, as the coin network's node writes it. */
const PERMISSIONS_CLAIM = 'Allow';
const MIN_BYTES = 32;

/** Entry `auth-jwt-private` of a node's key store. */
const keyStoreEntry = z.looseObject({ Type: z.literal('jwt-hmac-secret'), PrivateKey: z.base64() });

/** The secret of a file: hex digits, or an entry of a node's key store. Fails: OptionError, without what was read */
export function readTokenSecret(file: Secret): SharedSecret {
  const text = file.reveal().trim();
  const secret = text.startsWith('{') ? fromKeyStore(text) : fromHex(text);
  if (secret === undefined || secret.length < MIN_BYTES) {
    throw new OptionError(
      '--auth-token-secret-file',
      `must hold at least ${MIN_BYTES} bytes as hex digits, or a key-store entry of type jwt-hmac-secret`,
    );
  }
  return { secret, permissionsClaim: PERMISSIONS_CLAIM };
}

function fromHex(text: string): Uint8Array | undefined {
  return /^([0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined;
}

function fromKeyStore(text: string): Uint8Array | undefined {
  const parsed = keyStoreEntry.safeParse(parseQuietly(text));
  return parsed.success ? Buffer.from(parsed.data.PrivateKey, 'base64') : undefined;
}

function parseQuietly(text: string): unknown {
  try {
    return readJson(text, 4);
  } catch {
    return undefined;
  }
}
