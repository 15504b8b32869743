import { NO_CONSENT, splitTotalIndex } from '@tetrad/rollup-crypto';
import type { EthereumClient } from '@tetrad/rollup-chain';
import { OperatorError } from '@tetrad/types';
import type { MinedBatch } from '../chain/accepted-batches.js';
import type { AuditedOperation, Place } from './audit-report.js';
import type { ReplayedEvent } from './replay-period.js';

/**
 * Operations as a report has them, with where they are on the chain.
 *
 * @param client - for the time of the block
 * @param batch - that holds them
 * @param events - what it was to the account
 * @returns one for each event
 * @throws OperatorError when the client does not have the block
 */
export async function auditedOperations(
  client: Pick<EthereumClient, 'block'>,
  batch: MinedBatch,
  events: readonly ReplayedEvent[],
): Promise<AuditedOperation[]> {
  if (events.length === 0) return [];
  const { blockNumber, transactionHash } = batch;
  const block = await client.block(blockNumber);
  if (block === undefined) throw new OperatorError(`the Ethereum client does not have block ${blockNumber}`);
  return events.map((event) => {
    const { totalIndex } = event;
    const { batchHeight } = splitTotalIndex(totalIndex);
    const place = { totalIndex, batchHeight, blockNumber, transactionHash, timestamp: block.timestamp };
    return operationOf(event, place);
  });
}

function operationOf(event: ReplayedEvent, place: Place): AuditedOperation {
  switch (event.kind) {
    case 'created':
      return { ...place, kind: 'created' };
    case 'consentChanged': {
      const { kind, consent, nonce } = event;
      return { ...place, kind, isGiven: consent !== NO_CONSENT, nonce };
    }
    case 'credited': {
      const { kind, fromAccountId: otherAccountId, tokenId, amount } = event;
      return { ...place, kind, otherAccountId, tokenId, amount, nonce: undefined };
    }
    case 'withdrawn': {
      const { kind, toEthereumAddress, tokenId, amount, nonce } = event;
      return { ...place, kind, toEthereumAddress, tokenId, amount, nonce };
    }
    case 'redeemed': {
      const { tokenId, amount, fromAccountId: otherAccountId } = event.order;
      const { kind, nonce, orderIndex } = event;
      return { ...place, kind, otherAccountId, tokenId, amount, nonce, orderIndex };
    }
    case 'sent':
    case 'received': {
      const { tokenId, amount, fromAccountId, toAccountId } = event.order;
      const [otherAccountId, nonce] =
        event.kind === 'sent' ? [toAccountId, event.nonce] : [fromAccountId, undefined];
      return { ...place, kind: event.kind, otherAccountId, tokenId, amount, nonce };
    }
  }
}
