import type { SigningKey } from '@tetrad/crypto';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
  type PtmKey,
} from '@tetrad/types';
import { fixed, keyBytes, type FixedFields } from '../signed/fixed-fields.js';
import { openSigned, signMessage } from '../signed/node-signature.js';
import { readMessage } from '../signed/read-message.js';

/** What a message about a repair is about: one contract after one block, between two keys. */
export interface RepairSubject {
  readonly chainId: bigint;
  readonly genesisHash: Hash;
  readonly contract: Address;
  /** Manager keys of the party that says it, and of the one that it is for. */
  readonly from: PtmKey;
  readonly to: PtmKey;
  /** Number of the request, chosen at random by the party that asks. */
  readonly request: Hash;
  readonly block: number;
  readonly blockHash: Hash;
}

/** What is asked for: the account, the account and whether the whole contract would come, or the whole contract. */
export type RepairPurpose = 'account' | 'offer' | 'whole';

/** Asks another party for what a contract is after a block. */
export interface RepairRequest extends RepairSubject {
  readonly purpose: RepairPurpose;
}

/** Something that was signed by the key of a node. */
export type Signed<T> = T & {
  /** Public key of the node, 128 hex digits. */
  readonly signer: string;
};

/** Bytes of a subject. */
export const SUBJECT_BYTES = 32 + 32 + 20 + 32 + 32 + 32 + 8 + 32;

const MARK = Buffer.from('tetrad/agreement/repair-request/v1');
const PURPOSES: readonly RepairPurpose[] = ['account', 'offer', 'whole'];

/** Layout: docs/spec/contract-repairs.md#messages */
export function subjectBytes(subject: RepairSubject): Uint8Array {
  return Buffer.concat([
    fixed(subject.chainId, 32),
    hashToBytes(subject.genesisHash),
    addressToBytes(subject.contract),
    keyBytes(subject.from),
    keyBytes(subject.to),
    hashToBytes(subject.request),
    fixed(subject.block, 8),
    hashToBytes(subject.blockHash),
  ]);
}

/** @throws RangeError */
export function readSubject(fields: FixedFields): RepairSubject {
  return {
    chainId: fields.bigint(32),
    genesisHash: hashFromBytes(fields.take(32)),
    contract: addressFromBytes(fields.take(20)),
    from: fields.key(),
    to: fields.key(),
    request: hashFromBytes(fields.take(32)),
    block: fields.number(),
    blockHash: hashFromBytes(fields.take(32)),
  };
}

/** @throws RequestError KEY_UNAVAILABLE when the node key is in a service that does not sign */
export function signRequest(request: RepairRequest, nodeKey: Pick<SigningKey, 'sign'>): Promise<Uint8Array> {
  const purpose = fixed(PURPOSES.indexOf(request.purpose), 1);
  return signMessage(Buffer.concat([MARK, subjectBytes(request), purpose]), nodeKey);
}

/** @returns undefined for another message, and for one that is not well formed or that no key has signed */
export function openRequest(bytes: Uint8Array): Signed<RepairRequest> | undefined {
  return openMarked(bytes, MARK, SUBJECT_BYTES + 1, (fields) => {
    const subject = readSubject(fields);
    const purpose = PURPOSES[Number(fields.bigint(1))];
    return purpose && { ...subject, purpose };
  });
}

/** @param length - of what follows the mark, without the signature; a message of another one is not looked at */
export function openMarked<T>(
  bytes: Uint8Array,
  mark: Uint8Array,
  length: number,
  read: (fields: FixedFields) => T | undefined,
): Signed<T> | undefined {
  if (bytes.length !== mark.length + length + 65) return undefined;
  const opened = openSigned(bytes, mark);
  const value = opened && readMessage(opened.message, mark, read);
  return opened && value && { ...value, signer: opened.signer };
}
