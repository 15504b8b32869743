import type { ScryptCost } from '@tetrad/crypto';
import { RequestError } from '@tetrad/types';
import { type CoinAddress, signatureTypeOf, type KeyKind } from '@tetrad/wallet-key';
import { type WalletStore, KeySealer } from '@tetrad/wallet-store';
import { auditRecord, type Requester } from './audit-entry.js';

/** A private key on its way into the wallet. */
export interface NewKey {
  readonly address: CoinAddress;
  readonly kind: KeyKind;
  readonly privateKey: Uint8Array;
  readonly derivationPath?: string | undefined;
  readonly label?: string | undefined;
}

/** What a wallet and its keys are administered with; each act and its record are one transaction. */
export interface KeyAdminParts {
  readonly store: WalletStore;
  readonly sealer: KeySealer;
}

/** @throws RequestError KEY_EXISTS; PassphraseChangedError */
export async function addKey(
  { store, sealer }: KeyAdminParts,
  key: NewKey,
  { requester, action }: { readonly requester: Requester; readonly action: 'create' | 'import' },
): Promise<void> {
  const { address, derivationPath, label } = key;
  const kind = signatureTypeOf(key.kind);
  const sealed = sealer.seal({ address: address.toBytes(), kind, privateKey: key.privateKey });
  const added = await store.addKey(
    { ...sealed, derivationPath, label },
    auditRecord(requester, action, address),
  );
  if (!added) throw new RequestError('KEY_EXISTS', 'key already exists');
}

/** @throws RequestError NO_KEYS_FOR_ADDRESS */
export async function deleteKey(
  { store }: Pick<KeyAdminParts, 'store'>,
  address: CoinAddress,
  requester: Requester,
): Promise<void> {
  const deleted = await store.removeKey(address.toBytes(), auditRecord(requester, 'delete', address));
  if (!deleted) throw noKeys();
}

/**
 * Hands a key of the wallet to the work, once it is on record that it leaves.
 * @throws RequestError NO_KEYS_FOR_ADDRESS; DamagedKeyError, PassphraseChangedError
 */
export async function exportKey<Result>(
  { store, sealer }: KeyAdminParts,
  { address, requester }: { readonly address: CoinAddress; readonly requester: Requester },
  work: (kind: KeyKind, privateKey: Uint8Array) => Promise<Result> | Result,
): Promise<Result> {
  const row = await store.findKey(address.toBytes());
  if (row === undefined) throw noKeys();
  return sealer.use(row, async (privateKey) => {
    await store.audit.append(auditRecord(requester, 'export', address));
    return work(keyKindOf(row.kind), privateKey);
  });
}

/**
 * Puts every key under a new passphrase in one transaction.
 * @throws SealingError, DamagedKeyError, PassphraseChangedError
 */
export async function changePassphrase(
  { store, sealer }: KeyAdminParts,
  passphrase: string,
  { requester, cost }: { readonly requester: Requester; readonly cost?: ScryptCost },
): Promise<void> {
  const generation = sealer.generation + 1;
  const next = await KeySealer.create(passphrase, cost === undefined ? { generation } : { generation, cost });
  await store.reseal(
    sealer.generation,
    (keys) => sealer.reseal(keys, next),
    auditRecord(requester, 'change-passphrase', undefined),
  );
}

export function noKeys(): RequestError {
  return new RequestError('NO_KEYS_FOR_ADDRESS', 'No keys associated with supplied address');
}

const KINDS: Readonly<Record<1 | 2 | 3, KeyKind>> = { 1: 'secp256k1', 2: 'bls', 3: 'delegated' };

/** The kind of a stored key, whose number is the type of its signatures. */
export function keyKindOf(type: 1 | 2 | 3): KeyKind {
  return KINDS[type];
}
