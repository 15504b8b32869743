import { describe, expect, it } from '@jest/globals';
import { ChainUnavailableError, RollupCodec, type EthereumLog } from '@tetrad/rollup-chain';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { MemoryState, applyBatch, type AccountRecovery } from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import { OperatorError, parseAddress, parseHash } from '@tetrad/types';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { DepositFollower } from '../src/exit/deposit-follower.js';
import { exitByFreezing } from '../src/exit/exit-by-freezing.js';
import type { ExitProgress } from '../src/exit/exit-options.js';
import { payOwed } from '../src/exit/pay-owed.js';
import { readDues } from '../src/exit/read-dues.js';
import { ContractRefusal, deriveRollupKeys, type RollupContract } from '../src/index.js';

const ADDRESS = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const recipient = parseAddress('0x00000000000000000000000000000000000e1715');
const other = parseAddress('0x00000000000000000000000000000000000e1716');
const NOWHERE = parseAddress(`0x${'00'.repeat(20)}`);
const codec = new RollupCodec();
const keys = deriveRollupKeys(new Uint8Array(32).fill(3));
const NOW = 1_000_000;

/** What a client says of a contract with ether alone, in which account 1 has 5 units; a test changes some of it. */
const HONEST: Readonly<Record<string, readonly unknown[]>> = {
  frozen: [false],
  overdueAt: [0n],
  nextDeposit: [0n],
  depositCount: [0n],
  deposits: [1n, 0n, 4n, BigInt(NOW + 50), ADDRESS, 0n],
  requests: [0n, 0n, 0n, 0n, 0n],
  announcementTime: [100n],
  stallTimeout: [400n],
  requestsPerTimeout: [4n],
  tokens: [NOWHERE, 1n, 5n],
  claimed: [NOWHERE, 0n, 0n],
  isBalanceWithdrawn: [false],
  owed: [0n],
};

/**
 * A contract as a client describes it.
 * @param says - what it changes
 * @param options.refusal - with which it refuses every call
 */
function contractThat(
  says: Readonly<Record<string, readonly unknown[]>>,
  { refusal, logs = [], count = 1n }: { refusal?: string; logs?: EthereumLog[]; count?: bigint } = {},
) {
  const sent: string[] = [];
  const values = async (name: string) => says[name] ?? HONEST[name] ?? [];
  const contract = {
    address: ADDRESS,
    codec,
    domain: 7n,
    minDeposit: 1n,
    values,
    client: {
      head: async () => ({ number: 9, timestamp: NOW }),
      blockNumber: async () => 9,
      logs: async () => logs,
      chainId: async () => 7n,
      gasPrice: async () => 0n,
      nonce: async () => 0,
    },
    read: async (name: string) => (await values(name))[0],
    state: async () => ({ height: 1, stateRoot: 1n }),
    tokenCount: async () => Number(count),
    send: async (name: string) => {
      sent.push(name);
      if (refusal !== undefined) throw new ContractRefusal(refusal);
    },
  } as unknown as RollupContract;
  return { contract, sent };
}

/** The account as the events say it, in a state that is not in doubt. */
function recoveryOf(): AccountRecovery {
  const random = seededRandom(3);
  const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
  const user = new RollupUser(1, multiplyGenerator(9n), 7n, draw, keys.secretKey, keys.encryptionKey);
  const state = new MemoryState();
  state.commit(applyBatch(state, { ...state.next, domain: 7n, size: 1 }, [user.create()]));
  const { next, accountNode, historyNode } = state;
  const own = { ...state.account(1)!, balances: new Map([[0, 5n]]) };
  return { own, openOrders: [], next, accountNode, historyNode } as unknown as AccountRecovery;
}

function exitFrom(contract: RollupContract, controller = new AbortController()) {
  const said: ExitProgress[] = [];
  let pauses = 0;
  const options = {
    contract,
    keys,
    recipient,
    fromBlock: 0,
    signal: controller.signal,
    onProgress: (progress: ExitProgress) => void said.push(progress),
    // A client that shows no end of it is left by the user.
    pause: async () => {
      pauses += 1;
      if (pauses > 20) controller.abort();
    },
  };
  return { said, run: () => exitByFreezing(options, async () => recoveryOf()), options };
}

describe('a hostile Ethereum client', () => {
  it('cannot have an invalid time', async () => {
    const dues = (says: Readonly<Record<string, readonly unknown[]>>) =>
      readDues(contractThat(says).contract, 1);
    await expect(dues({ overdueAt: [2n ** 255n] })).rejects.toThrow(/is a time in seconds$/);
    await expect(dues({ announcementTime: [2n ** 128n] })).rejects.toThrow(/is a time in seconds$/);
    const deposits = [1n, 0n, 4n, 2n ** 200n, ADDRESS, 0n];
    await expect(dues({ depositCount: [1n], deposits })).rejects.toThrow(/is a time in seconds$/);
  });

  it('that says what is true of a unit of dust does not end the exit: it is overdue in ten thousand years', async () => {
    const { request } = await readDues(contractThat({ overdueAt: [2n ** 90n] }).contract, 1);
    expect(new Date((request?.overdueAt ?? NaN) * 1_000).getUTCFullYear()).toBeGreaterThan(10_000);
  });

  it('that says the contract is frozen gets one claim refused after another, and then the exit ends', async () => {
    const { contract, sent } = contractThat({ frozen: [true] }, { refusal: 'NotFrozen' });
    const { run, said } = exitFrom(contract);
    await expect(run()).rejects.toThrow('the rollup contract rejects it: NotFrozen');
    expect(new Set(sent)).toEqual(new Set(['claimAccount']));
    expect(sent).toHaveLength(5);
    expect(said).toContainEqual({ kind: 'refused', reason: 'NotFrozen' });
  });

  it('that says the request is overdue cannot have it frozen, and then the exit ends', async () => {
    for (const [announcedAt, name] of [
      [0n, 'announceByRequest'],
      [1n, 'freezeByRequest'],
    ] as const) {
      const requests = [0n, 1n, 0n, 5n, announcedAt];
      const { contract, sent } = contractThat({ overdueAt: [5n], requests }, { refusal: 'NotOverdue' });
      await expect(exitFrom(contract).run()).rejects.toThrow('NotOverdue');
      expect(sent).toEqual(Array.from({ length: 5 }, () => name));
    }
  });

  it('that refuses every request ends the exit too', async () => {
    const { contract, sent } = contractThat({}, { refusal: 'StaleProof' });
    await expect(exitFrom(contract).run()).rejects.toThrow('StaleProof');
    expect(sent).toEqual(Array.from({ length: 5 }, () => 'requestTransfer'));
  });

  it('that says the request is overdue in years cannot keep the holder from asking for a larger part', async () => {
    const overdueAt = [BigInt(NOW + 10_000)];
    const { contract, sent } = contractThat({ overdueAt }, { refusal: 'AlreadyRequested' });
    await expect(exitFrom(contract).run()).rejects.toThrow('AlreadyRequested');
    expect(new Set(sent)).toEqual(new Set(['requestTransfer']));
  });

  it('that cannot be reached is asked again, until the user ends it', async () => {
    const { contract, sent } = contractThat({});
    const head = async () => {
      throw new ChainUnavailableError('no answer');
    };
    const away = Object.assign(contract, { client: { ...contract.client, head } });
    const { run, said } = exitFrom(away);
    await expect(run()).rejects.toThrow('interrupted');
    expect(sent).toEqual([]);
    const reason = 'the Ethereum client cannot be reached';
    expect(said.filter(({ kind }) => kind === 'refused')).toEqual([{ kind: 'refused', reason }]);
  });

  it('that never comes to the height of the frozen state is waited for, until the user ends it', async () => {
    const { contract, sent } = contractThat({ frozen: [true] });
    const ahead = Object.assign(contract, { state: async () => ({ height: 2, stateRoot: 1n }) });
    await expect(exitFrom(ahead).run()).rejects.toThrow('interrupted');
    expect(sent).toEqual([]);
  });

  it('that names another recipient is repeated, not believed to be the one asked for', async () => {
    const { contract, sent } = contractThat({
      frozen: [true],
      claimed: [other, 0n, 0n],
      isBalanceWithdrawn: [true],
    });
    const { run, said } = exitFrom(contract);
    expect(await run()).toBe(other);
    expect(said).toContainEqual({ kind: 'claimed', recipient: other });
    expect(sent).toEqual([]);
  });

  it('cannot slip in a deposit of another event', async () => {
    const log: EthereumLog = {
      address: ADDRESS,
      topics: [parseHash(`0x${'11'.repeat(32)}`)],
      data: '0x',
      blockNumber: 3,
      blockHash: parseHash(`0x${'22'.repeat(32)}`),
      logIndex: 0,
      transactionHash: parseHash(`0x${'33'.repeat(32)}`),
    };
    const { contract } = contractThat({}, { logs: [log] });
    await expect(new DepositFollower(contract, 1, 0).look()).rejects.toThrow(OperatorError);
  });

  it('whose chain is reorganised has each deposit once, as the last block has it', async () => {
    const logOf = (blockNumber: number, amount: bigint, accountId = 1n): EthereumLog => {
      const event = [0n, accountId, 0n, amount, ADDRESS];
      const { data, topics } = codec.abi.encodeEventLog('InboundTransferRegistered', event);
      const hash = parseHash(`0x${'22'.repeat(32)}`);
      const at = { blockNumber, blockHash: hash, transactionHash: hash, logIndex: 0 };
      return { address: ADDRESS, data, topics: topics.map(parseHash), ...at };
    };
    const says: Record<string, readonly unknown[]> = { depositCount: [1n] };
    const { contract } = contractThat(says);
    const follower = new DepositFollower(contract, 1, 5);
    const amountsAt = async (head: number, logs: readonly EthereumLog[]) => {
      Object.assign(contract.client, { blockNumber: async () => head, logs: async () => logs });
      return (await follower.look()).map(({ amount }) => amount);
    };
    expect(await amountsAt(5, [logOf(5, 7n)])).toEqual([7n]);
    // Its block was replaced by one without it, and later ones have others.
    says['depositCount'] = [0n];
    expect(await amountsAt(6, [])).toEqual([]);
    says['depositCount'] = [1n];
    expect(await amountsAt(7, [logOf(7, 9n)])).toEqual([9n]);
    expect(await amountsAt(8, [logOf(8, 9n, 2n)])).toEqual([]);
  });

  it('that says a debt which the contract refuses to pay has it reported, once for each token', async () => {
    const { contract, sent } = contractThat({ owed: [9n] }, { refusal: 'NothingOwed', count: 2n });
    const { options } = exitFrom(contract);
    expect(await payOwed(options, recipient)).toEqual([
      { tokenId: 0, amount: 9n },
      { tokenId: 1, amount: 9n },
    ]);
    expect(sent).toEqual(['payOwed', 'payOwed']);
  });
});
