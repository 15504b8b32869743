import { developmentAccounts, presign } from '@tetrad/testkit';
import { parseAddress } from '@tetrad/types';
import { FUNDED_ACCOUNTS } from '../network/network-files.js';
import { callRpc } from './call-rpc.js';

/**
 * Transfers of the funded accounts, in turns, from their next nonces on.
 * @param url - of a node that has every block and nothing of them pending
 */
export async function presignTransfers(url: string, count: number): Promise<Uint8Array[]> {
  const ask = async (method: string, ...params: readonly unknown[]) =>
    Number(await callRpc(url, method, params));
  const chainId = BigInt(await ask('eth_chainId'));
  const nonces = await Promise.all(
    FUNDED_ACCOUNTS.map(({ address }) => ask('eth_getTransactionCount', address, 'latest')),
  );
  const [recipient] = developmentAccounts(1, 'crash recipient');
  if (recipient === undefined) throw new Error('no recipient');
  const to = parseAddress(recipient.address);
  return Array.from({ length: count }, (_, index) => {
    const turn = index % FUNDED_ACCOUNTS.length;
    const account = FUNDED_ACCOUNTS[turn] as (typeof FUNDED_ACCOUNTS)[number];
    const nonce = (nonces[turn] as number) + Math.floor(index / FUNDED_ACCOUNTS.length);
    const plain = { gasLimit: 21_000, to, value: 1n, data: new Uint8Array(0), gasPrice: 0n };
    return presign({ chainId, nonce, ...plain }, account.privateKey);
  });
}
