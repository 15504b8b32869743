import {
  viewReceipt,
  viewTransaction,
  type debugMethods,
  type ethMethods,
  type ethPrivacyGroupMethods,
} from '@tetrad/api-node';
import { PRIVACY_PRECOMPILE, StoredMetadata } from '@tetrad/node-private-state';
import { BlockFinder } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import { RequestError, bytesFromHex, isHex, type Address, type Hash, type PtmKey } from '@tetrad/types';
import type { PrivateParts } from '../privacy/open-privacy.js';
import { hasNamesOfGoQuorum } from './goquorum-names.js';
import type { NodeParts } from './node-parts.js';

type Served = Handlers<
  Pick<
    typeof ethMethods,
    | 'eth_getChainPayload'
    | 'eth_getContractPrivacyMetadata'
    | 'eth_getPrivacyPrecompileAddress'
    | 'eth_getPrivateTransactionByHash'
    | 'eth_getPrivateTransactionReceipt'
  > &
    typeof ethPrivacyGroupMethods &
    Pick<typeof debugMethods, 'debug_privateStateRoot'>
>;

const PAYLOAD_HASH_BYTES = 64;
const MANDATORY_RECIPIENTS = 2;

/** Reads of private transactions. */
export function privateTransactionHandlers(
  parts: Pick<NodeParts, 'identity' | 'ledger' | 'privacy' | 'receipts'>,
): Served {
  const { ledger, receipts } = parts;
  const blocks = new BlockFinder(ledger);
  const own = () => ownParts(parts);
  return {
    eth_getPSI: () => 'private',
    eth_getPrivacyPrecompileAddress: () => PRIVACY_PRECOMPILE,
    async eth_getPrivateTransactionByHash([hash]) {
      own();
      const marker = await ledger.findReceipt(hash);
      const marked = marker && (await receipts.findMarked(marker));
      if (marked === undefined) return null;
      const { blockHash, blockNumber, transactionIndex } = marked.position;
      return {
        ...viewTransaction(marked.transaction, marked.position),
        blockHash,
        blockNumber,
        transactionIndex,
      };
    },
    async eth_getPrivateTransactionReceipt([hash]) {
      const marker = await ledger.findReceipt(hash);
      if (marker === undefined)
        throw new RequestError('MARKER_TRANSACTION_NOT_FOUND', 'privacy marker transaction not found');
      const marked = await receipts.findMarked(marker);
      if (marked === undefined) return null;
      return underHash(hash, viewReceipt(marked));
    },
    async eth_getContractPrivacyMetadata([address]) {
      const metadata = await readMetadata(parts, address);
      return hasNamesOfGoQuorum(parts.identity) ? asGoQuorum(metadata) : metadata;
    },
    eth_getChainPayload: async ([text]) => receivePayload(own().manager, readDigest(text)),
    async debug_privateStateRoot([reference]) {
      const { view } = own();
      const { number } = (await blocks.get(reference, `block #${reference} not found`)).header;
      await view.demand(number);
      return view.rootAt(number);
    },
  };
}

/** @throws RequestError PRIVACY_NOT_AVAILABLE */
function ownParts({ privacy }: Pick<NodeParts, 'privacy'>): PrivateParts {
  if (privacy.own === undefined)
    throw new RequestError('PRIVACY_NOT_AVAILABLE', 'PrivateTransactionManager is not enabled');
  return privacy.own;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function unavailable(reason: string): RequestError {
  return new RequestError(
    'TRANSACTION_MANAGER_UNAVAILABLE',
    `private transaction manager is not ready: ${reason}`,
  );
}

/** A receipt under the hash with which blocks and logs refer to its transaction. */
function underHash(hash: Hash, view: ReturnType<typeof viewReceipt>) {
  const logs = view.logs.map((log) => ({ ...log, transactionHash: hash }));
  return { ...view, transactionHash: hash, logs };
}

/** What the parties of a contract have agreed on at its creation. */
interface Metadata {
  readonly creationTxHash: Uint8Array;
  readonly privacyFlag: number;
  readonly mandatoryFor: PtmKey[];
}

/** @throws RequestError NOT_A_PRIVATE_CONTRACT, NO_PRIVACY_METADATA, TRANSACTION_MANAGER_UNAVAILABLE */
async function readMetadata(
  parts: Pick<NodeParts, 'ledger' | 'privacy'>,
  address: Address,
): Promise<Metadata> {
  const { own } = parts.privacy;
  const { blockNumber, isPrivate } = await findContract(parts, address);
  if (!isPrivate || own === undefined)
    throw new RequestError(
      'NOT_A_PRIVATE_CONTRACT',
      `${address.slice(2)}: the provided address is not a private contract`,
    );
  const found = await new StoredMetadata(own.store, blockNumber).find([address]);
  const metadata = found.get(address);
  if (metadata === undefined)
    throw new RequestError('NO_PRIVACY_METADATA', `${address}: no account extra data found`);
  const { creation, privacyFlag } = metadata;
  const creationTxHash = bytesFromHex(creation);
  const isMandatory = privacyFlag === MANDATORY_RECIPIENTS;
  const mandatoryFor = isMandatory ? [...(await readMandatory(own, creationTxHash))] : [];
  return { creationTxHash, privacyFlag, mandatoryFor };
}

/** web3j's library fails on unknown members; GoQuorum only sends this one with mandatory recipients. */
function asGoQuorum({ creationTxHash, privacyFlag, mandatoryFor }: Metadata) {
  const original = { creationTxHash: base64(creationTxHash), privacyFlag };
  return mandatoryFor.length === 0 ? original : { ...original, mandatoryFor };
}

/**
 * The payload with the digest; empty where the manager has none.
 * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
 */
async function receivePayload(
  manager: Pick<PrivateParts['manager'], 'receive'>,
  digest: Uint8Array,
): Promise<Uint8Array> {
  if (digest.every((byte) => byte === 0)) return new Uint8Array(0);
  const found = await manager.receive(digest);
  if (found.kind === 'unknown') throw unavailable(found.reason);
  return found.kind === 'found' ? found.value.plaintext : new Uint8Array(0);
}

/** Whether private state has the account at the head. */
async function findContract({ ledger, privacy }: Pick<NodeParts, 'ledger' | 'privacy'>, address: Address) {
  const head = ledger.head();
  const blockNumber = head.header.number;
  const publicWorld = await ledger.worldAt(head);
  const at = { blockNumber, publicWorld, wanted: 'code' } as const;
  return { blockNumber, isPrivate: (await privacy.own?.view.findWorld(address, at)) !== undefined };
}

/** @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE */
async function readMandatory({ manager }: PrivateParts, creation: Uint8Array): Promise<readonly PtmKey[]> {
  const found = await manager.mandatoryRecipients(creation);
  if (found.kind === 'found') return found.value;
  throw unavailable(found.kind === 'unknown' ? found.reason : 'the payload of the creation no longer exists');
}

/** @throws RequestError INVALID_DIGEST with GoQuorum's texts */
function readDigest(text: string): Uint8Array {
  if (text.length < 3) throw new RequestError('INVALID_DIGEST', 'Invalid digest hex');
  const hex = text.startsWith('0x') ? text : `0x${text}`;
  if (!isHex(hex)) throw new RequestError('INVALID_DIGEST', 'Invalid digest hex');
  const bytes = bytesFromHex(hex);
  if (bytes.length !== PAYLOAD_HASH_BYTES)
    throw new RequestError('INVALID_DIGEST', `Expected a digest of length 64, but got ${bytes.length}`);
  return bytes;
}
