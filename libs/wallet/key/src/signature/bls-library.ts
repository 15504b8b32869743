import { PublicKey, SecretKey, Signature } from '@chainsafe/bls/herumi';
import herumi from 'bls-eth-wasm';

declare module 'bls-eth-wasm' {
  /**
   * Sets the domain tag of signatures in G2 for the whole instance. The library exports it, and its types leave it out.
   *
   * @param tag - goes into every hash to the curve from now on
   */
  export function setDstG2(tag: string): void;
}

/**
 * The tag of the coin network. `@chainsafe/bls` always signs with Ethereum's (`…_POP_`) and takes no other; the library
 * below it, `bls-eth-wasm`, has one tag for an instance, which the import of `@chainsafe/bls/herumi` has initialised.
 */
const DOMAIN_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_';

/** A published signature with that tag: the first one of a BLS key in `vectors/signature`. */
const KNOWN = {
  privateKey: 'cf7f2c5674849ecc28107142f5ee20fda3e4f7a73536f5ede36e542affed2b3d',
  data: '3432',
  signature:
    'a7f2de252f0a3f3b8e728daaa6a8e1bc9c45ac0e6a8fef8ba5e56801cb569034504cb86e1ac9f002f635925b90e8f9ed' +
    '02a2128ef47f454d24ce0911dfc17c1e6e4db8d3ecbbdfc112253e21085e35e0fb3a81bc4c7ab83ae64c6c84a0eee47f',
};

/**
 * Makes the library sign with the tag of the coin network.
 *
 * @param setTag - of the instance that `@chainsafe/bls` uses
 * @throws Error when it was another instance, as with two copies of the package: signatures would be Ethereum's
 */
export function useDomainTag(setTag: (tag: string) => void): void {
  setTag(DOMAIN_TAG);
  const key = SecretKey.fromBytes(Buffer.from(KNOWN.privateKey, 'hex').reverse());
  const signature = key.sign(Buffer.from(KNOWN.data, 'hex')).toBytes();
  if (Buffer.from(signature).toString('hex') !== KNOWN.signature)
    throw new Error('bls-eth-wasm did not take the domain tag; @chainsafe/bls uses another copy of it');
}

useDomainTag(herumi.setDstG2);

/** Holds no key; its methods write to the memory of the library. */
export const scratchKey = new herumi.SecretKey();

export { PublicKey, SecretKey, Signature };
