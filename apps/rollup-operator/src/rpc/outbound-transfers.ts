import type { pazkpOutboundTransferMethods } from '@tetrad/api-rollup-operator';
import { readOutboundTransfer, findOperationRecord, listOperationRecords } from '@tetrad/rollup-operations';
import type { Handlers } from '@tetrad/rpc';
import type { OperatorParts } from './operator-parts.js';
import { outboundItem, outboundRecord, pageView, hashOfWord, wordOfHash } from './wire-records.js';

export function outboundTransferHandlers(
  parts: Pick<OperatorParts, 'acceptance' | 'accounts' | 'store'>,
): Handlers<typeof pazkpOutboundTransferMethods> {
  const { store, accounts, acceptance } = parts;
  return {
    pazkp_createOutboundTransfer: async ([
      fromAccountId,
      toEthereumAddress,
      tokenId,
      amount,
      nonce,
      signature,
    ]) => {
      const transfer = { fromAccountId, toEthereumAddress, tokenId, amount, nonce };
      const operation = readOutboundTransfer(transfer, signature);
      return { operationHash: hashOfWord(await acceptance.createOutboundTransfer(operation)) };
    },
    pazkp_findOutboundTransfer: async ([operationHash]) => {
      const record = await findOperationRecord(store, wordOfHash(operationHash), 'outboundTransfer');
      return record === undefined ? null : outboundRecord(record);
    },
    pazkp_listOutboundTransferCreations: async ([
      fromNonce,
      softLimit,
      fromAccountId,
      toAddress,
      status,
      minAmount,
      maxAmount,
    ]) => {
      await accounts.get(fromAccountId);
      const query = { fromAccountId, toAddress, status, minAmount, maxAmount };
      const window = { kind: 'outboundTransfer', fromNonce, softLimit } as const;
      return pageView(await listOperationRecords(store, { ...window, ...query }), outboundItem);
    },
  };
}
