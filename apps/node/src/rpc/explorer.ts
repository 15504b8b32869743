import { viewTransaction, type explorerMethods } from '@tetrad/api-node';
import { PLACE_OF_NOW, listTokenHolders, type Place } from '@tetrad/node-address-index';
import { AnswerBudget } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import type { Log, MinedReceipt } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';
import { openHistory } from './open-history.js';

type Parts = Pick<NodeParts, 'addressHistory' | 'addressIndex' | 'ledger' | 'limits' | 'receipts'>;

/** Bytes of a transaction in an answer, without its data, and of a holder. */
const TRANSACTION_BYTES = 1_000;
const HOLDER_BYTES = 90;

/** Transactions that are read at a time. */
const AT_A_TIME = 64;

/** Lists from the index by address. */
export function explorerHandlers(parts: Parts): Handlers<typeof explorerMethods> {
  const { ledger, limits } = parts;
  return {
    async explorer_listPrivateTransactions([blockNumber, size]) {
      const history = await openHistory(parts);
      const before = blockNumber === 0 ? ledger.head().header.number + 1 : blockNumber;
      const { places, hasMore } = await history.privatePage({ blockNumber: before, size });
      const budget = new AnswerBudget(limits.answerBytes);
      const transactions = [];
      for (let from = 0; from < places.length; from += AT_A_TIME)
        for (const { transaction, position } of await minedAt(parts, places.slice(from, from + AT_A_TIME))) {
          budget.spend(TRANSACTION_BYTES + 2 * transaction.data.length);
          transactions.push(viewTransaction(transaction, position));
        }
      return { transactions, firstPage: blockNumber === 0, lastPage: !hasMore };
    },
    async explorer_listTokenHolders([token, size, before = PLACE_OF_NOW]) {
      const history = await openHistory(parts);
      const logsAt = (places: readonly Place[]) => listLogsAt(parts, places);
      const { holders, read, next } = await listTokenHolders({ history, logsAt }, token, { before, size });
      new AnswerBudget(limits.answerBytes).spend(HOLDER_BYTES * holders.length);
      return { holders: [...holders], transactionsRead: read, next: next ?? null };
    },
  };
}

function minedAt({ ledger }: Pick<Parts, 'ledger'>, places: readonly Place[]): Promise<MinedReceipt[]> {
  return ledger.listReceiptsAt(places.map(({ blockNumber: number, index }) => ({ number, index })));
}

/** The logs of each place, in public and in private state as far as this node is a party. */
async function listLogsAt(parts: Parts, places: readonly Place[]): Promise<Log[][]> {
  const { receipts } = parts;
  const found = new Map<string, Log[]>();
  for (const mined of await minedAt(parts, places)) {
    const [shown, marked] = [await receipts.shown(mined), await receipts.findMarked(mined)];
    const logs = [...shown.receipt.logs, ...(marked?.receipt.logs ?? [])];
    found.set(nameOf(mined.position), logs);
  }
  return places.map(({ blockNumber, index }) => found.get(`${blockNumber} ${index}`) ?? []);
}

const nameOf = ({ blockNumber, transactionIndex }: MinedReceipt['position']) =>
  `${blockNumber} ${transactionIndex}`;
