import { randomUUID } from 'node:crypto';
import type { PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { encodeBinaryPayload } from '../payload/binary-payload.js';
import { PrivacyFlag, type EncodedPayload } from '../payload/encoded-payload.js';
import { PROOF_HEADER, isKeyProof } from './key-proof.js';
import type { PeerClient } from './peer-client.js';

/**
 * What a manager showed of a key. `bound` names the URL that was asked, so that no other manager gave it; `unbound`, all that
 * existing managers can give, may have been passed on by a manager in between; `elsewhere` is one that was: it is bound
 * to another URL or another asker.
 */
export type KeyProof = 'bound' | 'unbound' | 'elsewhere' | 'none';

/** Asks managers to prove that they hold a key. */
export class KeyProver {
  constructor(private readonly parts: { readonly enclave: Enclave; readonly peers: PeerClient }) {}

  /**
   * @param url - ends with `/`
   * @throws PeerUnreachableError; InvalidPublicKeyError
   */
  async prove(url: string, key: PtmKey): Promise<KeyProof> {
    const { enclave, peers } = this.parts;
    const [secret, asker] = [randomUUID(), enclave.ring.first];
    const { status, text, headers } = await peers.post(
      url,
      'partyinfo/validate',
      encodeBinaryPayload(this.challenge(asker, key, secret)),
    );
    if (status !== 200 || text !== secret) return 'none';
    const header = headers[PROOF_HEADER];
    if (header === undefined) return 'unbound';
    const claims = { key, asker, secret, url };
    return typeof header === 'string' && isKeyProof(header, claims, enclave) ? 'bound' : 'elsewhere';
  }

  /** A UUID that only the owner of the key, and we, can read. */
  private challenge(asker: PtmKey, key: PtmKey, secret: string): EncodedPayload {
    const { enclave } = this.parts;
    const sealed = enclave.seal(asker, Buffer.from(secret));
    return {
      ...enclave.box(sealed, [key]),
      sender: asker,
      cipherText: sealed.cipherText,
      cipherTextNonce: sealed.nonce,
      privacyFlag: PrivacyFlag.Standard,
      affected: [],
      execHash: new Uint8Array(),
      mandatoryRecipients: [],
      privacyGroupId: undefined,
    };
  }
}
