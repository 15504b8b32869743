import { clientBytes } from '@tetrad/db/client';
import { insertAuditRecords } from './hot/insert-audit.js';
import { PassphraseChangedError } from './parse-key-row.js';
import { lockSealingRow, readAddressesVersion } from './sealing-rows.js';
import type { WalletClient } from './wallet-client.js';
import type { AuditRecord, KeyDescription, KeyKind, SealedKey } from './wallet-rows.js';

/** The addresses of the wallet, and the number of changes that led to them. */
export interface AddressSet {
  readonly version: number;
  /** In no order that means anything. */
  readonly addresses: readonly Uint8Array[];
}

/** Version and addresses of one snapshot. */
export function listAddresses({ client }: WalletClient): Promise<AddressSet> {
  return client.$transaction(
    async (calls) => ({
      version: await readAddressesVersion(calls),
      addresses: (await calls.walletKey.findMany({ select: { address: true } })).map(
        ({ address }) => address,
      ),
    }),
    { isolationLevel: 'RepeatableRead' },
  );
}

/** What an operator may know of the keys, the oldest first. */
export async function describeKeys({ client }: WalletClient): Promise<KeyDescription[]> {
  const rows = await client.walletKey.findMany({
    select: { address: true, kind: true, derivationPath: true, label: true, createdAt: true },
    orderBy: [{ createdAt: 'asc' }, { address: 'asc' }],
  });
  return rows.map(({ kind, derivationPath, label, ...row }) => ({
    ...row,
    kind: kind as KeyKind,
    derivationPath: derivationPath ?? undefined,
    label: label ?? undefined,
  }));
}

/**
 * Stores a key and the record of it, both or neither. The row of the sealing parameters is locked, so that no change of the
 * passphrase comes between.
 *
 * @returns false when the address has a key already
 * @throws PassphraseChangedError when it is sealed under an older passphrase
 */
export function addKey(client: WalletClient, row: SealedKey, audit: AuditRecord): Promise<boolean> {
  return client.transaction(async (calls, statements) => {
    if (!(await lockSealingRow(calls, row.generation))) throw new PassphraseChangedError();
    const { count } = await calls.walletKey.createMany({ data: [columnsOfKey(row)], skipDuplicates: true });
    if (count === 0) return false;
    await insertAuditRecords(statements, [{ record: audit }]);
    return true;
  });
}

function columnsOfKey({
  address,
  kind,
  generation,
  cipher,
  nonce,
  sealed,
  derivationPath,
  label,
}: SealedKey) {
  return {
    kind,
    generation,
    cipher,
    address: clientBytes(address),
    nonce: clientBytes(nonce),
    sealed: clientBytes(sealed),
    derivationPath: derivationPath ?? null,
    label: label ?? null,
  };
}

/**
 * Deletes a key and records it, both or neither.
 *
 * @returns false when the key does not exist
 */
export function removeKey(client: WalletClient, address: Uint8Array, audit: AuditRecord): Promise<boolean> {
  return client.transaction(async (calls, statements) => {
    const { count } = await calls.walletKey.deleteMany({ where: { address: clientBytes(address) } });
    if (count === 0) return false;
    await insertAuditRecords(statements, [{ record: audit }]);
    return true;
  });
}
