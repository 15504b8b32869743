import { keccak256 } from '@tetrad/crypto';
import type { EthereumReceipt } from '@tetrad/rollup-chain';
import { encodeWord } from '@tetrad/rollup-crypto';
import { ZERO_ADDRESS, parseAddress, type Address } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { SendOptions } from '../chain/send-transaction.js';

/** When an open request is overdue and when it expires; Unix time in seconds. */
export interface RequestTimes {
  readonly overdueAt: number;
  readonly expiresAt: number;
}

/** A transfer out as it is requested: account, recipient, token and amount. */
export interface TurnRequest {
  readonly fromAccountId: number;
  readonly toEthereumAddress: Address;
  readonly tokenId: number;
  /** Units of the rollup. */
  readonly amount: bigint;
}

/** Requests a transfer that the operator does not make; once overdue, anyone may make it with a proof (docs/adr/0215). */
export function requestInTurns(
  contract: RollupContract,
  transfer: TurnRequest,
  options: SendOptions,
): Promise<EthereumReceipt> {
  return contract.send('requestOutboundTransfer', valuesOf(transfer), options);
}

/** @returns undefined for a transfer that is not requested, or whose request is answered or expired */
export async function requestTimes(
  contract: RollupContract,
  transfer: TurnRequest,
): Promise<RequestTimes | undefined> {
  const words = valuesOf(transfer).map((value) => encodeWord(BigInt(value)));
  const hash = keccak256(Buffer.concat(words));
  const [overdueAt, expiresAt] = await contract.values('requestTimes', [hash]);
  return overdueAt === 0n ? undefined : { overdueAt: Number(overdueAt), expiresAt: Number(expiresAt) };
}

/** Whether the contract takes batches of that size. */
export async function takesSize(contract: RollupContract, size: number): Promise<boolean> {
  const [verifier] = await contract.values('verifiers', [size]);
  return parseAddress(String(verifier)) !== ZERO_ADDRESS;
}

const valuesOf = ({ fromAccountId, toEthereumAddress, tokenId, amount }: TurnRequest) => [
  fromAccountId,
  toEthereumAddress,
  tokenId,
  amount,
];
