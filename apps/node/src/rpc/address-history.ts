import { viewAddressHistory, type otsMethods } from '@tetrad/api-node';
import type { Place } from '@tetrad/node-address-index';
import { minedAt } from '@tetrad/node-ledger';
import { AnswerBudget } from '@tetrad/node-queries';
import { TransactionInspector, assertAdmitted } from '@tetrad/node-simulation';
import type { Handlers } from '@tetrad/rpc';
import type { Address, MinedReceipt, MinedTransaction } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';
import { openHistory } from './open-history.js';

type Parts = Pick<
  NodeParts,
  'addressHistory' | 'addressIndex' | 'executions' | 'ledger' | 'limits' | 'privacy' | 'receipts'
>;

type Served = Handlers<
  Pick<
    typeof otsMethods,
    | 'ots_getContractCreator'
    | 'ots_getTransactionBySenderAndNonce'
    | 'ots_searchTransactionsAfter'
    | 'ots_searchTransactionsBefore'
  >
>;

/** Bytes of a transaction and its receipt in an answer, and of a log, without their data. */
const TRANSACTION_BYTES = 2_000;
const LOG_BYTES = 800;

/** Transactions that are read at a time, so that a page beyond the bound of an answer is not read to its end. */
const AT_A_TIME = 64;

/** Reads of the index by address. */
export function addressHistoryHandlers(parts: Parts): Served {
  const inspector = new TransactionInspector(parts);
  return {
    async ots_searchTransactionsBefore([address, blockNumber, size]) {
      const history = await openHistory(parts);
      const before = blockNumber === 0 ? parts.ledger.head().header.number + 1 : blockNumber;
      const { places, hasMore } = await history.page(address, {
        blockNumber: before,
        size,
        direction: 'before',
      });
      const receipts = await receiptsAt(parts, places);
      return viewAddressHistory(receipts, { firstPage: blockNumber === 0, lastPage: !hasMore });
    },
    async ots_searchTransactionsAfter([address, blockNumber, size]) {
      const history = await openHistory(parts);
      const { places, hasMore } = await history.page(address, { blockNumber, size, direction: 'after' });
      const receipts = await receiptsAt(parts, places);
      return viewAddressHistory(receipts, { firstPage: !hasMore, lastPage: blockNumber === 0 });
    },
    async ots_getTransactionBySenderAndNonce([sender, nonce]) {
      return (await findByNonce(parts, sender, nonce))?.transaction.hash ?? null;
    },
    async ots_getContractCreator([address], { signal }) {
      const history = await openHistory(parts);
      const place = await parts.executions.run(signal, (admission) =>
        history.findCreation(address, () => assertAdmitted(admission)),
      );
      const created = place && (await transactionAt(parts, place));
      if (created === undefined) return null;
      const { hash } = created.transaction;
      const receipt = await parts.receipts.find(hash);
      if (receipt?.receipt.contractAddress === address) return { hash, creator: created.transaction.sender };
      const calls = await inspector.callTree(hash, signal);
      const creation = calls.findLast(({ type, to }) => type.startsWith('CREATE') && to === address);
      return creation === undefined ? null : { hash, creator: creation.from };
    },
  };
}

/**
 * The nonce of an account counts its transactions, unless the genesis file gave it another first one: the transaction that is
 * found says how many are to be left out.
 */
async function findByNonce(
  parts: Parts,
  sender: Address,
  nonce: number,
): Promise<MinedTransaction | undefined> {
  const history = await openHistory(parts);
  const findAt = async (number: number) => {
    const place = number < 0 ? undefined : await history.findSent(sender, number);
    return place && transactionAt(parts, place);
  };
  const first = await findAt(0);
  if (first === undefined) return undefined;
  const found = await findAt(nonce - Number(first.transaction.nonce));
  return found?.transaction.nonce === BigInt(nonce) ? found : undefined;
}

async function transactionAt(
  { ledger }: Pick<Parts, 'ledger'>,
  { blockNumber, index }: Place,
): Promise<MinedTransaction | undefined> {
  const block = await ledger.findBlock(blockNumber);
  return block && minedAt(block, index);
}

/** @throws RequestError RESPONSE_TOO_LARGE, PRIVATE_STATE_NOT_AVAILABLE */
async function receiptsAt(parts: Parts, places: readonly Place[]): Promise<MinedReceipt[]> {
  const budget = new AnswerBudget(parts.limits.answerBytes);
  const receipts: MinedReceipt[] = [];
  for (let from = 0; from < places.length; from += AT_A_TIME) {
    const part = places.slice(from, from + AT_A_TIME);
    const mined = await parts.ledger.listReceiptsAt(
      part.map(({ blockNumber: number, index }) => ({ number, index })),
    );
    for (const one of mined) {
      const receipt = await parts.receipts.shown(one);
      budget.spend(bytesOf(receipt));
      receipts.push(receipt);
    }
  }
  return receipts;
}

function bytesOf({ transaction, receipt }: MinedReceipt): number {
  const logs = receipt.logs.map(({ data }) => LOG_BYTES + 2 * data.length);
  return TRANSACTION_BYTES + 2 * transaction.data.length + logs.reduce((sum, bytes) => sum + bytes, 0);
}
