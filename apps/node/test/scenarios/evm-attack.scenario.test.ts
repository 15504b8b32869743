import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  EVM_ATTACKS,
  developmentAccounts,
  initCodeOf,
  until,
  type DevelopmentAccount,
  type EvmAttack,
} from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import { hexFromBytes, bytesFromHex, parseAddress, type Address } from '@tetrad/types';
import { createNodeHome, type NodeHome, type NodeProcess } from '../node-process.js';
import { post, type RpcAnswer } from '../running-node.js';

/** Enough gas that every attack lasts until its time is over, which is short. */
const FLAGS = [
  ...['--http-api', 'eth,debug', '--rpc-gas-cap', '2000000000', '--rpc-estimate-gas-cap', '2000000000'],
  ...['--rpc-execution-timeout', '1000'],
];
/** Of each transaction: what deploying the largest takes, and a little more. */
const TRANSACTION_GAS = 8_000_000n;
/** What an attack must leave room for while it lasts, and how often it may try to prevent that. */
const ANSWERS = 3;
const ROUNDS = 20;

const OWNERS = developmentAccounts(4, 'owner');

let home: NodeHome;
let node: NodeProcess;
const contracts = new Map<EvmAttack, string>();
beforeAll(async () => {
  home = await createNodeHome(OWNERS);
  node = await home.start(FLAGS);
  await deployAll();
});
afterAll(async () => {
  await node.stop();
  await home.remove();
});

interface Sent {
  readonly nonce: number;
  readonly to?: Address;
  readonly data: string;
}

function rawOf({ privateKey }: DevelopmentAccount, { nonce, to, data }: Sent): string {
  const fields = { chainId: 1337n, nonce: BigInt(nonce), gasLimit: TRANSACTION_GAS, value: 0n };
  const target = to === undefined ? {} : { to };
  const fees = { type: 'legacy', gasPrice: 0n } as const;
  return hexFromBytes(
    signTransaction({ ...fields, ...target, data: bytesFromHex(`0x${data}`), fees }, privateKey),
  );
}

async function call<T>(method: string, params: readonly unknown[] = []): Promise<T> {
  const { result, error } = await post(home.url, method, params);
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result as T;
}

const height = async () => Number(await call('eth_blockNumber'));

interface Receipt {
  readonly blockNumber: string;
  readonly contractAddress: string;
  readonly status: string;
}

async function receiptsOf(hashes: readonly string[]): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const hash of hashes) {
    let found: Receipt | null = null;
    await until(
      async () => (found = await call<Receipt | null>('eth_getTransactionReceipt', [hash])) !== null,
    );
    receipts.push(found as unknown as Receipt);
  }
  return receipts;
}

/** Sends from the owner, from the nonce on; one after the other, so that the pool has no gaps. */
async function send(
  owner: DevelopmentAccount,
  from: number,
  all: readonly Omit<Sent, 'nonce'>[],
): Promise<string[]> {
  const hashes: string[] = [];
  for (const [index, one] of all.entries())
    hashes.push(
      await call<string>('eth_sendRawTransaction', [rawOf(owner, { ...one, nonce: from + index })]),
    );
  return hashes;
}

async function deployAll(): Promise<void> {
  const [owner] = OWNERS as [DevelopmentAccount];
  const hashes = await send(
    owner,
    0,
    EVM_ATTACKS.map((attack) => ({ data: initCodeOf(attack) })),
  );
  const receipts = await receiptsOf(hashes);
  for (const [index, attack] of EVM_ATTACKS.entries()) {
    expect({ name: attack.name, status: receipts[index]?.status }).toEqual({
      name: attack.name,
      status: '0x1',
    });
    contracts.set(attack, receipts[index]?.contractAddress as string);
  }
}

interface Meanwhile {
  readonly answers: number;
  readonly blocks: number;
}

/** What others get while the work lasts: answers to calls that began and ended in it, and blocks. */
async function meanwhile(work: Promise<unknown>): Promise<Meanwhile> {
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  const [held] = OWNERS as [DevelopmentAccount];
  const first = await height();
  let [answers, last] = [0, first];
  while (!isOver) {
    await (answers % 2 === 0
      ? call('eth_getBalance', [held.address, 'latest'])
      : call('eth_call', [{ to: held.address }, 'latest']));
    if (!isOver) answers++;
    const at = await height();
    if (isOver) break;
    [answers, last] = [answers + 1, at];
  }
  await over;
  return { answers, blocks: last - first };
}

/** Every way in which a client can have the contract run. */
function attackByCalls(attack: EvmAttack): Promise<RpcAnswer[]> {
  const message = { to: contracts.get(attack), data: `0x${attack.data}`, gas: '0x77359400' };
  return Promise.all([
    post(home.url, 'eth_call', [message, 'latest']),
    post(home.url, 'eth_estimateGas', [message, 'latest']),
    post(home.url, 'eth_createAccessList', [message, 'latest']),
    post(home.url, 'debug_traceCall', [message, 'latest', { tracer: 'callTracer' }]),
  ]);
}

describe('contracts that take as long as they can', () => {
  it.each(EVM_ATTACKS)('hold up neither calls nor blocks when clients call them: $name', async (attack) => {
    const seen = { answers: 0, blocks: 0 };
    for (let round = 0; round < ROUNDS && (seen.answers < ANSWERS || seen.blocks < 1); round++) {
      const attacks = attackByCalls(attack);
      const { answers, blocks } = await meanwhile(attacks);
      seen.answers += answers;
      seen.blocks += blocks;
      for (const { error } of await attacks) expect([-32000, -32003]).toContain(error?.code);
    }
    expect(seen.answers).toBeGreaterThanOrEqual(ANSWERS);
    expect(seen.blocks).toBeGreaterThanOrEqual(1);
  });

  it('do not keep blocks from coming when they are mined, nor calls from being answered meanwhile', async () => {
    const [, owner] = OWNERS as [DevelopmentAccount, DevelopmentAccount];
    const targets = EVM_ATTACKS.map((attack) => ({
      to: parseAddress(contracts.get(attack) as string),
      data: attack.data,
    }));
    const mined = receiptsOf(await send(owner, 0, targets));
    const { answers, blocks } = await meanwhile(mined);
    const receipts = await mined;
    expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => '0x0'));
    expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBeGreaterThan(1);
    expect(answers).toBeGreaterThanOrEqual(ANSWERS);
    expect(blocks).toBeGreaterThanOrEqual(1);
  });
});
