import type { signerListMethods } from '@tetrad/api-signer';
import type { Handlers, ResultOf } from '@tetrad/rpc';
import type { ListedDecision, ListedSend, SignerStore } from '@tetrad/signer-store';
import { readRefusal } from '@tetrad/signer-transactions';
import { parseAddress } from '@tetrad/types';
import pLimit from 'p-limit';

/** What the lists are read from. */
export interface ListParts {
  readonly store: Pick<SignerStore, 'listDecisions' | 'listSends'>;
}

/** Entries of a page that does not say how many. */
const PAGE = 50;

type Methods = typeof signerListMethods;
type Decision = ResultOf<Methods['signer_listDecisions']>['decisions'][number];
type Send = ResultOf<Methods['signer_listSends']>['sends'][number];

/** The lists for operators. One is read at a time, so that readers leave the database's connections to those who sign. */
export function listHandlers({ store }: ListParts): Handlers<Methods> {
  const inTurn = pLimit(1);
  return {
    async signer_listDecisions([{ account, outcome, limit = PAGE, cursor } = {}]) {
      const before = cursor === undefined ? undefined : Number(cursor);
      const page = await inTurn(() => store.listDecisions({ before, account, decision: outcome, limit }));
      return { decisions: page.rows.map(decisionOf), cursor: page.before?.toString() ?? null };
    },
    async signer_listSends([{ account, state, limit = PAGE, cursor } = {}]) {
      const [sequenceId, nonce] = cursor?.split('-') ?? [];
      const after =
        sequenceId === undefined || nonce === undefined
          ? undefined
          : { sequenceId: Number(sequenceId), nonce: BigInt(nonce) };
      const page = await inTurn(() => store.listSends({ after, account, state, limit }));
      return {
        sends: page.rows.map(sendOf),
        cursor: page.after === undefined ? null : `${page.after.sequenceId}-${page.after.nonce}`,
      };
    },
  };
}

function decisionOf(row: ListedDecision): Decision {
  const { sequence, timeMs, caller, key, method, decision, reason } = row;
  const isAllowed = decision === 'allowed';
  const refusal = isAllowed ? undefined : readRefusal(reason);
  return {
    sequence,
    time: timeMs,
    account: key,
    method,
    outcome: isAllowed ? 'allowed' : 'refused',
    caller: caller === '' ? null : caller,
    reason: refusal?.reason ?? null,
    rule: (isAllowed ? reason : refusal?.rule) || null,
    limit: refusal?.limit ?? null,
    transaction: transactionOf(row),
  };
}

function transactionOf({ chainId, nonce, to, value, isPrivate }: ListedDecision): Decision['transaction'] {
  if (chainId === null || nonce === null) return null;
  return {
    isPrivate,
    chainId: BigInt(chainId),
    nonce: BigInt(nonce),
    to: isPrivate || to === null ? null : parseAddress(to),
    value: isPrivate || value === null ? null : BigInt(value),
  };
}

function sendOf({ account, chainId, isPrivate, nonce, state, isGiven, hash, changedMs }: ListedSend): Send {
  return {
    account,
    chainId,
    isPrivate,
    nonce,
    state,
    isGiven,
    transactionHash: hash ?? null,
    changedAt: changedMs,
  };
}
