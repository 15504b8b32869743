import type { Call } from './call-node.js';

/**
 * Asks for a block.
 * @param id - its height, also as text, or its hash
 * @param full - with whole transactions, not their hashes
 */
export function blockCall(id: number | string, full: boolean): Call {
  if (typeof id === 'string' && id.startsWith('0x'))
    return { method: 'eth_getBlockByHash', params: [id, full] };
  return { method: 'eth_getBlockByNumber', params: [`0x${BigInt(id).toString(16)}`, full] };
}
