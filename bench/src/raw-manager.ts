import { createPrivateKey, createPublicKey, diffieHellman, randomBytes } from 'node:crypto';
import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa';
import { sha3_512 } from '@tetrad/crypto';
import { connectDatabase } from '@tetrad/db';

const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX_BYTES = 12;

/** A key pair of a manager, with the content of an unlocked key file. */
export interface RawPair {
  readonly publicKey: Buffer;
  readonly privateKey: Buffer;
}

export function rawPair(): RawPair {
  const privateKey = randomBytes(32);
  const spki = createPublicKey(keyObject(privateKey)).export({ format: 'der', type: 'spki' });
  return { privateKey, publicKey: spki.subarray(PUBLIC_PREFIX_BYTES) };
}

/**
 * Payloads a second that one process boxes for three parties, hashes and inserts, without a manager: the shared
 * keys are computed once, as in a manager, and so many inserts run at a time.
 */
export async function rawManagerRate(options: {
  readonly databaseUrl: string;
  readonly payload: Uint8Array;
  readonly count: number;
  readonly concurrency: number;
}): Promise<number> {
  const { databaseUrl, payload, count, concurrency } = options;
  const database = await connectDatabase({ url: databaseUrl, poolSize: 10 });
  const sender = rawPair();
  const shared = [sender, rawPair(), rawPair()].map((party) => boxKey(sender, party));
  try {
    await database.pool.query(
      'CREATE TABLE IF NOT EXISTS raw_bench (hash bytea PRIMARY KEY, encoded bytea NOT NULL)',
    );
    let left = count;
    const started = performance.now();
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (left > 0) {
          left -= 1;
          const { hash, encoded } = seal(payload, shared);
          await database.pool.query({
            name: 'insert-raw',
            text: 'INSERT INTO raw_bench (hash, encoded) VALUES ($1, $2)',
            values: [hash, encoded],
          });
        }
      }),
    );
    return count / ((performance.now() - started) / 1_000);
  } finally {
    await database.close();
  }
}

function seal(payload: Uint8Array, shared: readonly Uint8Array[]): { hash: Buffer; encoded: Buffer } {
  const [masterKey, nonce, recipientNonce] = [randomBytes(32), randomBytes(24), randomBytes(24)];
  const cipherText = xsalsa20poly1305(masterKey, nonce).encrypt(payload);
  const boxes = shared.map((key) => xsalsa20poly1305(key, recipientNonce).encrypt(masterKey));
  return {
    hash: Buffer.from(sha3_512(cipherText)),
    encoded: Buffer.concat([cipherText, nonce, recipientNonce, ...boxes]),
  };
}

/** HSalsa20 of the X25519 secret: the key of a NaCl box. */
function boxKey(own: RawPair, other: RawPair): Uint8Array {
  const secret = diffieHellman({
    privateKey: keyObject(own.privateKey),
    publicKey: createPublicKey(keyObject(other.privateKey)),
  });
  const words = (bytes: Uint8Array) => new Uint32Array(Uint8Array.from(bytes).buffer);
  const key = new Uint32Array(8);
  hsalsa(words(Buffer.from('expand 32-byte k')), words(secret), new Uint32Array(4), key);
  return new Uint8Array(key.buffer);
}

function keyObject(privateKey: Uint8Array) {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, privateKey]), format: 'der', type: 'pkcs8' });
}
