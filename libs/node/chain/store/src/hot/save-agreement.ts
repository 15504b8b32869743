import type { AgreementBlock } from '../agreement-rows.js';
import type { Statements } from '../statements.js';
import { putRows, rowValues } from '../agreement-columns.js';

const SAVE = putRows(1);

/** Stores what is stated of blocks, in place of what was there of the same pairs and blocks. */
export async function saveAgreement(statements: Statements, rows: readonly AgreementBlock[]): Promise<void> {
  if (rows.length === 0) return;
  await statements.query({ name: 'save-agreement', text: SAVE, values: rowValues(rows) });
}
