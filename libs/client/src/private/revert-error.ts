import { ContractFunctionRevertedError, numberToHex, type Abi, type Client, type Hex } from 'viem';
import { revertDataOf } from '../errors/request-error.js';
import { callMethod } from '../wire/call-method.js';
import { getPrivateTransaction } from './getPrivateTransaction.js';
import type { PrivateReceipt } from './private-receipt.js';

/**
 * Why a transaction reverted: by what the node shows in the receipt, else by the same call on the state before its block. The
 * second is a guess where an earlier transaction of the block matters.
 *
 * @returns undefined when the transaction did not revert, or no reason is found
 */
export async function findRevertError(
  client: Client,
  receipt: PrivateReceipt,
  abi: Abi,
): Promise<ContractFunctionRevertedError | undefined> {
  if (receipt.status !== 'reverted' || !receipt.isParty) return undefined;
  const data = receipt.revertData ?? (await repeatedRevert(client, receipt));
  if (data === undefined) return undefined;
  return new ContractFunctionRevertedError({ abi, data, functionName: 'transaction' });
}

async function repeatedRevert(client: Client, receipt: PrivateReceipt): Promise<Hex | undefined> {
  const call = await callOf(client, receipt);
  if (call === undefined) return undefined;
  const { from, to } = receipt;
  try {
    await client.request({
      method: 'eth_call',
      params: [{ from, ...(to === null ? {} : { to }), ...call }, numberToHex(receipt.blockNumber - 1n)],
    });
    return undefined;
  } catch (error) {
    return revertDataOf(error);
  }
}

/** Payload and gas of the transaction. */
async function callOf(
  client: Client,
  { transactionHash: hash, isBehindMarker }: PrivateReceipt,
): Promise<{ readonly data: Hex; readonly gas: Hex } | undefined> {
  const transaction = isBehindMarker
    ? await getPrivateTransaction(client, { hash })
    : await client.request({ method: 'eth_getTransactionByHash', params: [hash] });
  if (!transaction) return undefined;
  const { input, gas } = transaction;
  const data = input.length === 130 ? await callMethod(client, 'eth_getChainPayload', input) : input;
  return data === '0x' ? undefined : { data, gas: numberToHex(BigInt(gas)) };
}
