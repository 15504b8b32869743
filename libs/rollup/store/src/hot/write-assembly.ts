import { asBuffer, asBufferOrNull } from '@tetrad/db';
import { encodeWord } from '@tetrad/rollup-crypto';
import type { BatchRoots } from '../batch-rows.js';
import { batch } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = batch;
const WRITE = `
  UPDATE ${table} SET ${columns.previousStateRoot} = $2, ${columns.stateRoot} = $3, ${columns.accountRoot} = $4,
         ${columns.ordersRoot} = $5, ${columns.proving} = $6
   WHERE ${columns.height} = $1 AND ${columns.state} = 'sealed'`;

/** Writes roots and what the batch is proved with, once it is sealed; one that the chain has needs no proof. */
export async function writeAssembly(
  to: Statements,
  height: number,
  { roots, proving }: { readonly roots: BatchRoots; readonly proving: Uint8Array | undefined },
): Promise<void> {
  const words = [roots.previousState, roots.state, roots.account, roots.orders];
  await to.query({
    name: 'write-assembly',
    text: WRITE,
    values: [height, ...words.map((root) => asBuffer(encodeWord(root))), asBufferOrNull(proving)],
  });
}
