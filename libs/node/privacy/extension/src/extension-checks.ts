import type { TransactionArguments } from '@tetrad/api-node';
import { EMPTY_KECCAK } from '@tetrad/crypto';
import { wordFromAddress } from '@tetrad/node-evm';
import { loadAccount, type WorldState } from '@tetrad/node-execution';
import type { PrivateHead } from '@tetrad/node-transactions';
import type { PrivacyMetadata } from '@tetrad/node-private-state';
import type { PrivateStateStore } from '@tetrad/node-store';
import { RequestError, ZERO_ADDRESS, bytesFromHex, isPtmKey, type Address, type PtmKey } from '@tetrad/types';
import { stored, type ExtensionManager } from './manager-answers.js';
import { readState } from './read-state.js';

/**
 * Which accounts may begin and accept extensions: with enhanced permissioning, those of network and organization admins.
 *
 * Source: docs/spec/contract-extension.md#admins
 */
export interface AdminAccounts {
  isAdmin(account: Address): Promise<boolean>;
}

/** An extension that a client requests. */
export interface ExtensionRequest {
  readonly contract: Address;
  /** As the client wrote it. */
  readonly newRecipientKey: string;
  readonly recipient: Address;
  readonly txArgs: TransactionArguments;
}

/** Reads private state at the head. */
export interface HeadReader {
  /** @throws RequestError PRIVATE_STATE_NOT_AVAILABLE */
  readonly privateHead: () => Promise<WorldState>;
}

interface CheckParts extends HeadReader {
  readonly store: Pick<PrivateStateStore, 'isExtending'>;
  readonly manager: ExtensionManager;
  readonly head: Pick<PrivateHead, 'run'>;
  readonly admins: AdminAccounts;
  readonly accounts: () => readonly Address[];
}

/** An extension that has passed all checks. */
export interface Extensible {
  readonly recipientKey: PtmKey;
  /** Parties of the management contract. */
  readonly privateFor: readonly PtmKey[];
}

/**
 * Source: docs/spec/contract-extension.md#beginning
 *
 * @param isBegun - whether an extension of the contract has been sent already
 * @throws RequestError, in the order of the source; STORAGE_TOO_LARGE last
 */
export async function assertExtensible(
  parts: CheckParts,
  request: ExtensionRequest,
  isBegun: boolean,
): Promise<Extensible> {
  const { contract, recipient, txArgs } = request;
  const found = await findContract(parts, contract);
  if (isBegun || (await parts.store.isExtending(contract)))
    throw new RequestError(
      'EXTENSION_IN_PROGRESS',
      'contract extension in progress for the given contract address',
    );
  if (found.isPublic)
    throw new RequestError('NOT_A_PRIVATE_CONTRACT', 'extending a public contract!!! not allowed');
  if (recipient === ZERO_ADDRESS) throw new RequestError('INVALID_RECIPIENT', 'invalid recipient address');
  if (!found.isPrivate)
    throw new RequestError(
      'NOT_A_PRIVATE_CONTRACT',
      'extending a non-existent private contract!!! not allowed',
    );
  await assertCreator(parts.manager, found.metadata);
  await assertAccounts(parts.admins, txArgs.from, recipient);
  const recipientKey = readRecipientKey(request);
  const parties = await partiesOf(parts.manager, found.metadata);
  if (!parts.accounts().includes(txArgs.from))
    throw new RequestError('UNKNOWN_ACCOUNT', `no wallet found for account ${txArgs.from}`);
  await readState(await parts.privateHead(), contract);
  return { recipientKey, privateFor: [...new Set([recipientKey, ...parties])] };
}

interface FoundContract {
  readonly isPublic: boolean;
  readonly isPrivate: boolean;
  /** Undefined for a contract with privacy flag 0. */
  readonly metadata: PrivacyMetadata | undefined;
}

function findContract({ head }: Pick<CheckParts, 'head'>, contract: Address): Promise<FoundContract> {
  return head.run(async ({ publicWorld, privateWorld, metadata }) => {
    const key = wordFromAddress(contract);
    const shared = await loadAccount(publicWorld, key);
    const own = await loadAccount(privateWorld, key);
    return {
      isPublic: shared.exists,
      isPrivate: own.codeHash !== EMPTY_KECCAK,
      metadata: (await metadata.find([contract])).get(contract),
    };
  });
}

/** Only the creator may extend a protected contract; any party may extend a standard private one. */
async function assertCreator(
  manager: ExtensionManager,
  metadata: PrivacyMetadata | undefined,
): Promise<void> {
  if (metadata === undefined) return;
  if (stored(await manager.isSender(bytesFromHex(metadata.creation))) === true) return;
  throw new RequestError('NOT_THE_CONTRACT_CREATOR', 'operation not allowed');
}

async function assertAccounts(admins: AdminAccounts, from: Address, recipient: Address): Promise<void> {
  if (from === recipient)
    throw new RequestError(
      'INVALID_RECIPIENT',
      'account accepting the extension cannot be the account initiating extension',
    );
  if (!(await admins.isAdmin(from)))
    throw new RequestError(
      'NOT_AN_ADMIN_ACCOUNT',
      'account not an org admin account, cannot initiate extension',
    );
  if (!(await admins.isAdmin(recipient)))
    throw new RequestError(
      'NOT_AN_ADMIN_ACCOUNT',
      'recipient account address is not an org admin account. cannot accept extension',
    );
}

function readRecipientKey({ newRecipientKey, txArgs }: ExtensionRequest): PtmKey {
  if (!isPtmKey(newRecipientKey))
    throw new RequestError(
      'INVALID_RECIPIENT_PTM_KEY',
      'invalid new recipient transaction manager key provided',
    );
  const [named, ...more] = txArgs.privateFor ?? [];
  if (more.length > 0)
    throw new RequestError(
      'RECIPIENT_PTM_KEY_MISMATCH',
      'invalid transaction manager keys given in privateFor argument',
    );
  if (named !== undefined && named !== newRecipientKey)
    throw new RequestError(
      'RECIPIENT_PTM_KEY_MISMATCH',
      'mismatch between recipient transaction manager key and privateFor argument',
    );
  return newRecipientKey as PtmKey;
}

/** All parties of a protected contract get the extension too, because another payload identifies the contract afterwards. */
async function partiesOf(
  manager: ExtensionManager,
  metadata: PrivacyMetadata | undefined,
): Promise<readonly PtmKey[]> {
  if (metadata === undefined) return [];
  return stored(await manager.participants(bytesFromHex(metadata.creation))) ?? [];
}
