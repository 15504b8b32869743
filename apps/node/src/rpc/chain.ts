import type { ethChainMethods } from '@tetrad/api-node';
import { FeeHistoryQuery } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import type { NodeParts } from './node-parts.js';

/** eth/68, the newest version of the wire protocol that clients know. */
const PROTOCOL_VERSION = 68;

export function chainHandlers(
  parts: Pick<NodeParts, 'identity' | 'ledger' | 'ordering' | 'peers' | 'sender'>,
): Handlers<typeof ethChainMethods> {
  const { ledger, peers, ordering, identity, sender } = parts;
  const fees = new FeeHistoryQuery(ledger);
  return {
    eth_chainId: () => ledger.genesis.chainId,
    eth_blockNumber: () => ledger.head().header.number,
    eth_capabilities: () => capabilitiesOf(ledger),
    eth_syncing: () => peers.syncProgress() ?? (false as const),
    eth_mining: () => ordering?.isActive() === true,
    eth_hashrate: () => 0n,
    eth_coinbase: () => identity.address,
    eth_protocolVersion: () => PROTOCOL_VERSION,
    eth_accounts: () => [...sender.accounts()],
    eth_gasPrice: () => 0n,
    eth_maxPriorityFeePerGas: () => 0n,
    // Of every block (docs/adr/0006).
    eth_baseFee: () => 0n,
    eth_blobBaseFee: () => 1n,
    eth_feeHistory: ([blockCount, newestBlock, percentiles], context) =>
      fees.run({ blockCount, newestBlock, percentiles, giveWay: () => context.giveWay() }),
  };
}

/** Blocks with their transactions, receipts and logs are all kept; states as far back as `--state-history` says. */
function capabilitiesOf(ledger: NodeParts['ledger']) {
  const { header, hash } = ledger.head();
  const { number } = header;
  const { horizon } = ledger;
  const whole = { disabled: false, oldestBlock: 0 };
  const window =
    horizon.blocks === undefined
      ? {}
      : { deleteStrategy: { type: 'window' as const, retentionBlocks: horizon.blocks } };
  const state = { disabled: false, oldestBlock: horizon.oldestAt(number), ...window };
  const stored = { tx: whole, logs: whole, receipts: whole, blocks: whole };
  return { head: { number, hash }, state, ...stored, stateproofs: state };
}
