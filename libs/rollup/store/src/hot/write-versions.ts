import { encodeWord } from '@tetrad/rollup-crypto';
import { writtenBalances } from '../account-rows.js';
import { writtenTerms } from '../consent-rows.js';
import type { ExecutionWrite } from '../execution-rows.js';
import { accountVersion } from '../generated/tables.js';
import { hexOf, jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';

const { table, columns } = accountVersion;
const record = jsonRecord(accountVersion, {
  accountId: 'int',
  batchHeight: 'bigint',
  nonce: 'bigint',
  redemptionIndex: 'bigint',
  balances: 'jsonb',
  consent: 'bytea',
  consentTerms: 'jsonb',
} as const);
const WRITE = `
  INSERT INTO ${table} (${record.columns})
  SELECT ${record.values} FROM json_to_recordset($1::json) AS new (${record.definition})
  ON CONFLICT (${columns.accountId}, ${columns.batchHeight}) DO UPDATE
     SET ${columns.nonce} = excluded.${columns.nonce}, ${columns.balances} = excluded.${columns.balances},
         ${columns.redemptionIndex} = excluded.${columns.redemptionIndex}, ${columns.consent} = excluded.${columns.consent},
         ${columns.consentTerms} = excluded.${columns.consentTerms}`;

type Written = JsonRow<
  typeof accountVersion,
  'accountId' | 'batchHeight' | 'nonce' | 'redemptionIndex' | 'balances' | 'consent' | 'consentTerms'
>;

/** Writes accounts as batches leave them. */
export async function writeVersions(
  statements: Statements,
  versions: ExecutionWrite['versions'],
): Promise<void> {
  if (versions.length === 0) return;
  const written = versions.map(({ id, balances, consent, consentTerms, ...version }): Written => ({
    accountId: id,
    batchHeight: version.batchHeight,
    nonce: version.nonce,
    redemptionIndex: version.redemptionIndex,
    balances: writtenBalances(balances),
    consent: consent === undefined ? undefined : hexOf(encodeWord(consent)),
    consentTerms: consentTerms === undefined ? undefined : { ...writtenTerms(consentTerms) },
  }));
  await statements.query({ name: 'write-versions', text: WRITE, values: [JSON.stringify(written)] });
}
