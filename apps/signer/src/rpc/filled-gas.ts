import { ForwardedError } from '@tetrad/rpc';
import type { ClientSession } from '@tetrad/signer-downstream';
import { DEFAULT_GAS, type SendRequest, type SendThrough } from '@tetrad/signer-transactions';
import { hexFromBytes, type Address, type Logger } from '@tetrad/types';

/** The Ethereum client's refusal to estimate, such as a revert, as it came. */
export class EstimateRefusedError extends ForwardedError {
  override readonly name = 'EstimateRefusedError';
}

/** What decides about the gas of a transaction whose caller gives none. */
export interface FilledGas {
  /** Asks the client; absent unless `--estimate-gas` is given. */
  readonly estimate?:
    ((request: SendRequest, session: ClientSession) => SendThrough['estimateGas']) | undefined;
  /** Says what was filled in, where the amount can be too small. */
  report(request: Pick<SendRequest, 'from' | 'to' | 'gas' | 'data'>, hash?: string): void;
}

/**
 * The gas of EthSigner, 90,000, or the client's estimate.
 *
 * @param isEstimated whether `--estimate-gas` is given
 * @param logger gets a line for every transaction with code or data that took 90,000
 */
export function filledGas(isEstimated: boolean, logger: Pick<Logger, 'warn'>): FilledGas {
  return {
    estimate: isEstimated
      ? (request, session) => (account) => estimateOf(request, account, session)
      : undefined,
    report({ from, to, gas, data = new Uint8Array(0) }, hash) {
      // A transfer to an account without code takes 21,000.
      if (gas !== undefined || (to !== undefined && data.length === 0)) return;
      logger.warn('no gas given, 90,000 taken as EthSigner does: it may run out', {
        from,
        to: to ?? 'contract creation',
        gas: Number(DEFAULT_GAS),
        dataBytes: data.length,
        ...(hash === undefined ? {} : { hash }),
        ...(isEstimated ? {} : { option: '--estimate-gas' }),
      });
    },
  };
}

/** @throws EstimateRefusedError; as `ClientSession.quantity` */
async function estimateOf(request: SendRequest, from: Address, session: ClientSession): Promise<bigint> {
  const { to, value, data, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList, nonce } = request;
  const quantities = { value, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce };
  const given = Object.entries(quantities).flatMap(([name, amount]) =>
    amount === undefined ? [] : [[name, `0x${amount.toString(16)}`] as const],
  );
  const call = {
    from,
    to,
    data: data === undefined ? undefined : hexFromBytes(data),
    accessList,
    ...Object.fromEntries(given),
  };
  try {
    return await session.quantity('eth_estimateGas', [call]);
  } catch (error) {
    throw error instanceof ForwardedError ? new EstimateRefusedError(error.error) : error;
  }
}
