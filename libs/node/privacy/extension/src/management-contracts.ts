import { EMPTY_KECCAK } from '@tetrad/crypto';
import { wordFromAddress } from '@tetrad/node-evm';
import { loadAccount } from '@tetrad/node-execution';
import { managementReads, readAnswer, TwoWorlds, runPrivateMessage } from '@tetrad/node-private-state';
import type { HeadWorlds, PrivateHead } from '@tetrad/node-transactions';
import { RequestError, type Address } from '@tetrad/types';

/** State of a management contract at the head, on this node. */
export interface ManagementState {
  readonly isFinished: boolean;
  readonly creator: Address;
  /** The creator and the recipient. */
  readonly voters: readonly [Address, Address];
  /** Whether the given account has voted. */
  readonly hasVoted: boolean;
}

/** Gas for one read of a management contract; more than any needs. */
const READ_GAS = 1_000_000n;

/** Reads management contracts that this or another node created. */
export class ManagementContracts {
  constructor(private readonly head: Pick<PrivateHead, 'run'>) {}

  /** @throws RequestError NO_MANAGEMENT_CONTRACT, PRIVATE_STATE_NOT_AVAILABLE; of the bounds of executions */
  read(management: Address, account: Address): Promise<ManagementState> {
    return this.head.run(async (worlds) => {
      const contract = await loadAccount(worlds.privateWorld, wordFromAddress(management));
      if (contract.codeHash === EMPTY_KECCAK) throw noContract();
      const ask = (data: Uint8Array) => call(worlds, { from: account, to: management, data });
      const state = {
        isFinished: readAnswer.boolean(await ask(managementReads.isFinished)),
        creator: readAnswer.address(await ask(managementReads.creator)),
        hasVoted: readAnswer.boolean(await ask(managementReads.hasVoted)),
      };
      const voters = [
        readAnswer.address(await ask(managementReads.voter(0))),
        readAnswer.address(await ask(managementReads.voter(1))),
      ] as const;
      return checked(state, voters);
    });
  }
}

/** Checks the answers; a contract with any other answer is not a management contract. */
function checked(
  {
    isFinished,
    creator,
    hasVoted,
  }: { readonly [Name in keyof ManagementState]?: ManagementState[Name] | undefined },
  [first, second]: readonly [Address | undefined, Address | undefined],
): ManagementState {
  if (isFinished === undefined || creator === undefined || hasVoted === undefined) throw noContract();
  if (first === undefined || second === undefined) throw noContract();
  return { isFinished, creator, hasVoted, voters: [first, second] };
}

async function call(
  { context, publicWorld, privateWorld }: HeadWorlds,
  { from, to, data }: { readonly from: Address; readonly to: Address; readonly data: Uint8Array },
): Promise<Uint8Array> {
  const message = { sender: from, nonce: 0n, gasLimit: READ_GAS, to, value: 0n, data };
  const worlds = new TwoWorlds(publicWorld, privateWorld);
  const { failure, output } = await runPrivateMessage(context, message, { data, worlds });
  return failure === undefined ? output : new Uint8Array(0);
}

function noContract(): RequestError {
  return new RequestError('NO_MANAGEMENT_CONTRACT', 'no contract code at given address');
}
