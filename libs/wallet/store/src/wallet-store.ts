import { asBuffer, type Database } from '@tetrad/db';
import { AuditJournal } from './audit-journal.js';
import { insertAuditRecords } from './insert-audit.js';
import { KeyLookup } from './key-lookup.js';
import { listAuditRecords, type AuditQuery } from './list-audit.js';
import { resealKeys, type Resealed } from './reseal.js';
import { SealedKeys } from './sealed-keys.js';
import { createSealingRow, findSealingRow } from './sealing-rows.js';
import type {
  AuditRecord,
  KeyDescription,
  KeyKind,
  KeyRow,
  StoredAuditRecord,
  StoredKeyRow,
  SealingParameters,
} from './wallet-rows.js';
import { PassphraseChangedError } from './parse-key-row.js';

/** The addresses of the wallet, and the number of changes that led to them. */
export interface AddressSet {
  readonly version: number;
  /** In no order that means anything. */
  readonly addresses: readonly Uint8Array[];
}

/** A wallet in PostgreSQL. Several processes may use one at the same time. */
export interface WalletStore {
  findSealingParameters(): Promise<SealingParameters | undefined>;
  /** Stores the parameters unless there are some. Out: the stored one */
  createSealingParameters(parameters: SealingParameters): Promise<SealingParameters>;
  /** Fails: WalletStoreError when the row is damaged */
  findKey(address: Uint8Array): Promise<StoredKeyRow | undefined>;
  /** Keys for frequent use, which need not be read every time. */
  readonly sealedKeys: SealedKeys;
  hasKey(address: Uint8Array): Promise<boolean>;
  /** Grows with every change of the set of addresses. */
  addressesVersion(): Promise<number>;
  listAddresses(): Promise<AddressSet>;
  describeKeys(): Promise<KeyDescription[]>;
  /**
   * Stores a key and the record of it, both or neither. Out: false when the address has a key already
   *
   * Fails: PassphraseChangedError when it is sealed under an older passphrase
   */
  addKey(row: KeyRow, audit: AuditRecord): Promise<boolean>;
  /** Deletes a key and records it, both or neither. Out: false when the key does not exist */
  removeKey(address: Uint8Array, audit: AuditRecord): Promise<boolean>;
  /** Puts all keys under another passphrase at once. Fails: PassphraseChangedError */
  reseal(
    generation: number,
    reseal: (keys: readonly KeyRow[]) => Resealed,
    audit: AuditRecord,
  ): Promise<void>;
  readonly audit: AuditJournal;
  /** In the order of the log. */
  listAudit(query: AuditQuery): Promise<StoredAuditRecord[]>;
}

export function openWalletStore(database: Database): WalletStore {
  const keys = new KeyLookup(database);
  return {
    findSealingParameters: () => findSealingRow(database),
    createSealingParameters: (parameters) => createSealingRow(database, parameters),
    findKey: (address) => keys.find(address),
    sealedKeys: new SealedKeys(keys),
    async hasKey(address) {
      const { rows } = await database.pool.query<{ held: boolean }>({
        name: 'has-key',
        text: 'SELECT EXISTS (SELECT FROM wallet_key WHERE address = $1) AS held',
        values: [asBuffer(address)],
      });
      return rows[0]?.held === true;
    },
    async addressesVersion() {
      const { rows } = await database.pool.query<{ version: number }>({
        name: 'addresses-version',
        text: 'SELECT keys_version AS version FROM vault WHERE id = 1',
      });
      return rows[0]?.version ?? 0;
    },
    listAddresses: () => listAddresses(database),
    describeKeys: () => describeKeys(database),
    addKey: (row, audit) => addKey(database, row, audit),
    removeKey: (address, audit) =>
      database.transaction(async (client) => {
        const sql = 'DELETE FROM wallet_key WHERE address = $1';
        if ((await client.query(sql, [asBuffer(address)])).rowCount === 0) return false;
        await insertAuditRecords(client, [{ record: audit }]);
        return true;
      }),
    reseal: (generation, reseal, audit) => resealKeys(database, { generation, reseal, audit }),
    audit: new AuditJournal(database),
    listAudit: (query) => listAuditRecords(database, query),
  };
}

/** Version and addresses of one snapshot. */
async function listAddresses(database: Database): Promise<AddressSet> {
  const { rows } = await database.pool.query<{ version: number; address: Buffer | null }>({
    name: 'list-addresses',
    text: `SELECT vault.keys_version AS version, wallet_key.address
             FROM vault LEFT JOIN wallet_key ON true WHERE vault.id = 1`,
  });
  return {
    version: rows[0]?.version ?? 0,
    addresses: rows.flatMap(({ address }) => (address === null ? [] : [address])),
  };
}

async function describeKeys(database: Database): Promise<KeyDescription[]> {
  const { rows } = await database.pool.query<{
    address: Buffer;
    kind: KeyKind;
    derivation_path: string | null;
    label: string | null;
    created_at: Date;
  }>('SELECT address, kind, derivation_path, label, created_at FROM wallet_key ORDER BY created_at, address');
  return rows.map(({ address, kind, derivation_path, label, created_at }) => ({
    address,
    kind,
    derivationPath: derivation_path ?? undefined,
    label: label ?? undefined,
    createdAt: created_at,
  }));
}

/** The row of the sealing parameters is locked, so that no change of the passphrase comes between. */
function addKey(database: Database, row: KeyRow, audit: AuditRecord): Promise<boolean> {
  return database.transaction(async (client) => {
    const current = await client.query('SELECT FROM vault WHERE id = 1 AND generation = $1 FOR UPDATE', [
      row.generation,
    ]);
    if (current.rowCount !== 1) throw new PassphraseChangedError();
    const { rowCount } = await client.query(
      `INSERT INTO wallet_key (address, kind, generation, cipher, nonce, sealed, derivation_path, label)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (address) DO NOTHING`,
      [
        ...[asBuffer(row.address), row.kind, row.generation, row.cipher],
        ...[asBuffer(row.nonce), asBuffer(row.sealed), row.derivationPath ?? null, row.label ?? null],
      ],
    );
    if (rowCount === 0) return false;
    await insertAuditRecords(client, [{ record: audit }]);
    return true;
  });
}
