import { insertAuditRecords } from './hot/insert-audit.js';
import { replaceKeys } from './hot/replace-keys.js';
import { PassphraseChangedError, parseKeyRow } from './parse-key-row.js';
import { lockSealingRow, replaceSealingRow } from './sealing-rows.js';
import type { WalletClient } from './wallet-client.js';
import type { AuditRecord, SealedKey, SealingParameters } from './wallet-rows.js';

/** What a change of the passphrase makes of the rows. */
export interface Resealed {
  readonly parameters: SealingParameters;
  readonly keys: readonly Pick<SealedKey, 'address' | 'generation' | 'nonce' | 'sealed'>[];
}

/**
 * Replaces the sealing parameters and every sealed key in one transaction: all are under the new passphrase, or none.
 *
 * @param parts - generation: that of the parameters as the caller knows it
 * @throws PassphraseChangedError when it is another one by now; whatever `reseal` throws, with nothing changed
 */
export function resealKeys(
  client: WalletClient,
  parts: {
    readonly generation: number;
    readonly reseal: (keys: readonly SealedKey[]) => Resealed;
    readonly audit: AuditRecord;
  },
): Promise<void> {
  return client.transaction(async (calls, statements) => {
    if (!(await lockSealingRow(calls, parts.generation))) throw new PassphraseChangedError();
    const rows = await calls.walletKey.findMany({ orderBy: { address: 'asc' } });
    const { parameters, keys } = parts.reseal(rows.map(parseKeyRow));
    await replaceSealingRow(calls, parameters);
    await replaceKeys(statements, keys);
    await insertAuditRecords(statements, [{ record: parts.audit }]);
  });
}
