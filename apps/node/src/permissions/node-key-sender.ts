import { keccak256, type SigningKey } from '@tetrad/crypto';
import { decodeTransaction, findAccount, transactionGasCap } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import type { NodeSender } from '@tetrad/node-permissioning';
import type { TransactionPool } from '@tetrad/node-pool';
import { envelopeOf } from '@tetrad/transactions';
import type { Address } from '@tetrad/types';

/** Gas of a transaction that sets up a network, within the limits of block and rules (docs/spec/permissions.md#setting-up). */
const BOOT_GAS = 47_000_000n;

export interface NodeKeySenderParts {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  readonly nodeKey: SigningKey;
  /** The contract that is called. */
  readonly to: Address;
}

/** Sends calls of one contract, signed with the node key. */
export function nodeKeySender({ ledger, pool, nodeKey, to }: NodeKeySenderParts): NodeSender {
  const { address } = nodeKey;
  const { chainId } = ledger.genesis;
  return {
    async isWaiting() {
      const account = await findAccount(await ledger.worldAt(ledger.head()), address);
      return (await pool.pendingNonce(address)) > (account?.nonce ?? 0n);
    },
    async send(data) {
      const fees = { type: 'legacy', gasPrice: 0n } as const;
      const nonce = await pool.pendingNonce(address);
      const call = { chainId, nonce, gasLimit: gasNow(ledger), to, value: 0n, data, fees };
      const envelope = envelopeOf(call);
      const raw = envelope.raw(await nodeKey.sign(keccak256(envelope.preimage())));
      return pool.add(decodeTransaction(raw, chainId));
    },
  };
}

function gasNow(ledger: Ledger): bigint {
  const { header } = ledger.head();
  const rules = ledger.executor.rules({ number: header.number + 1, timestamp: ledger.secondsOf(header) });
  const most = transactionGasCap(rules) ?? BOOT_GAS;
  return [BOOT_GAS, most, header.gasLimit].reduce((least, one) => (one < least ? one : least));
}
