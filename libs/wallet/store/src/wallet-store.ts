import type { Database } from '@tetrad/db';
import { AuditJournal } from './audit-journal.js';
import { listAuditRecords, type AuditQuery } from './hot/list-audit.js';
import { readVersion } from './hot/read-version.js';
import { KeyLookup } from './key-lookup.js';
import { addKey, describeKeys, listAddresses, removeKey, type AddressSet } from './key-rows.js';
import { resealKeys, type Resealed } from './reseal.js';
import { SealedKeys } from './sealed-keys.js';
import { createSealingRow, findSealingRow } from './sealing-rows.js';
import { openWalletClient } from './wallet-client.js';
import type {
  AuditRecord,
  KeyDescription,
  SealedKey,
  StoredAuditRecord,
  StoredKey,
  SealingParameters,
} from './wallet-rows.js';

/** A wallet in PostgreSQL. Several processes may use one at the same time. */
export interface WalletStore {
  findSealingParameters(): Promise<SealingParameters | undefined>;
  /**
   * Stores the parameters unless there are some.
   * @returns the stored one
   */
  createSealingParameters(parameters: SealingParameters): Promise<SealingParameters>;
  /** @throws WalletStoreError when the row is damaged */
  findKey(address: Uint8Array): Promise<StoredKey | undefined>;
  /** Keys for frequent use, which need not be read every time. */
  readonly sealedKeys: SealedKeys;
  hasKey(address: Uint8Array): Promise<boolean>;
  /** Grows with every change of the set of addresses. */
  addressesVersion(): Promise<number>;
  listAddresses(): Promise<AddressSet>;
  describeKeys(): Promise<KeyDescription[]>;
  /**
   * Stores a key and the record of it, both or neither.
   * @returns false when the address has a key already
   * @throws PassphraseChangedError when it is sealed under an older passphrase
   */
  addKey(row: SealedKey, audit: AuditRecord): Promise<boolean>;
  /**
   * Deletes a key and records it, both or neither.
   * @returns false when the key does not exist
   */
  removeKey(address: Uint8Array, audit: AuditRecord): Promise<boolean>;
  /**
   * Puts all keys under another passphrase at once.
   * @throws PassphraseChangedError
   */
  reseal(
    generation: number,
    reseal: (keys: readonly SealedKey[]) => Resealed,
    audit: AuditRecord,
  ): Promise<void>;
  readonly audit: AuditJournal;
  /** In the order of the log. */
  listAudit(query: AuditQuery): Promise<StoredAuditRecord[]>;
  /** Ends the client; the database stays open. */
  close(): Promise<void>;
}

export function openWalletStore(database: Database): WalletStore {
  const keys = new KeyLookup(database);
  const rows = openWalletClient(database);
  const { client } = rows;
  return {
    findSealingParameters: () => findSealingRow(client),
    createSealingParameters: (parameters) => createSealingRow(client, parameters),
    findKey: (address) => keys.find(address),
    sealedKeys: new SealedKeys(keys),
    hasKey: (address) => keys.has(address),
    addressesVersion: () => readVersion(database),
    listAddresses: () => listAddresses(rows),
    describeKeys: () => describeKeys(rows),
    addKey: (row, audit) => addKey(rows, row, audit),
    removeKey: (address, audit) => removeKey(rows, address, audit),
    reseal: (generation, reseal, audit) => resealKeys(rows, { generation, reseal, audit }),
    audit: new AuditJournal(database),
    listAudit: (query) => listAuditRecords(database, query),
    close: () => rows.close(),
  };
}
