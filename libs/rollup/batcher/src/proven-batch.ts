import type { StoredBatch } from '@tetrad/rollup-store';

/** A batch with its proof, ready to be sent. */
export interface ProvenBatch {
  readonly row: StoredBatch;
  readonly roots: NonNullable<StoredBatch['roots']>;
  readonly proof: Uint8Array;
}

/** @returns undefined for a batch that has no proof yet, or is final */
export function provenOf(row: StoredBatch | undefined): ProvenBatch | undefined {
  if (row?.roots === undefined || row.proof === undefined) return undefined;
  if (row.state !== 'proven' && row.state !== 'submitted') return undefined;
  return { row, roots: row.roots, proof: row.proof };
}
