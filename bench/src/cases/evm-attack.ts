import { EVM_ATTACKS, initCodeOf, percentile, presign, type EvmAttack } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes, parseAddress, type Address } from '@tetrad/types';
import { getCreateAddress } from 'ethers';
import { callRpc } from '../call-rpc.js';
import { CHAIN_ID, startNode } from '../peers.js';
import { SENDERS, waitUntilMined } from '../load.js';
import type { BenchResult, Comparison } from '../report/result.js';

/** Time limit of answers to other clients while a contract runs. */
const ANSWER_MS = 500;
const PERIOD_MS = 1_000;
/** Gas for deploying the largest attack, and of each in a block. */
const TRANSACTION_GAS = 16_000_000;
const CALLS = ['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'debug_traceCall'] as const;

interface Seen {
  readonly name: string;
  /** Milliseconds, of each answer to other clients. */
  readonly answers: number[];
  /** Milliseconds between one block and the next. */
  readonly gaps: number[];
}

/** Contracts that run as long as possible, called and mined: latency of other calls, and block times. */
export async function evmAttack(): Promise<BenchResult> {
  const node = await startNode({ blockPeriodMs: PERIOD_MS });
  try {
    const targets = await deployAll(node.url);
    const seen: Seen[] = [];
    for (const [index, attack] of EVM_ATTACKS.entries()) {
      const to = targets[index] as Address;
      seen.push(await watch(node.url, attack.name, callAll(node.url, attack, to)));
    }
    const mined = await watch(node.url, 'all of them in blocks', mineAll(node.url, targets));
    return resultOf(seen, mined);
  } finally {
    await node.stop();
  }
}

async function deployAll(url: string): Promise<Address[]> {
  const [owner] = SENDERS as [(typeof SENDERS)[number]];
  for (const [nonce, attack] of EVM_ATTACKS.entries()) {
    const counts = { chainId: CHAIN_ID, nonce: BigInt(nonce), gasLimit: BigInt(TRANSACTION_GAS), value: 0n };
    const data = bytesFromHex(`0x${initCodeOf(attack)}`);
    const raw = signTransaction(
      { ...counts, data, fees: { type: 'legacy', gasPrice: 0n } },
      owner.privateKey,
    );
    await callRpc(url, 'eth_sendRawTransaction', [hexFromBytes(raw)]);
  }
  await waitUntilMined(url, [EVM_ATTACKS.length]);
  return EVM_ATTACKS.map((_, nonce) => parseAddress(getCreateAddress({ from: owner.address, nonce })));
}

/** Every method by which a client can execute the contract, at the same time; the calls are expected to fail. */
async function callAll(url: string, { data }: EvmAttack, to: Address): Promise<void> {
  const message = { to, data: `0x${data}` };
  const options = (method: string) => (method === 'debug_traceCall' ? [{ tracer: 'callTracer' }] : []);
  await Promise.allSettled(
    CALLS.map((method) => callRpc(url, method, [message, 'latest', ...options(method)])),
  );
}

async function mineAll(url: string, targets: readonly Address[]): Promise<void> {
  const [, sender] = SENDERS as [unknown, (typeof SENDERS)[number]];
  for (const [nonce, { data }] of EVM_ATTACKS.entries()) {
    const to = targets[nonce] as Address;
    const plain = { chainId: CHAIN_ID, nonce, gasLimit: TRANSACTION_GAS, gasPrice: 0n, to, value: 0n };
    const raw = presign({ ...plain, data: bytesFromHex(`0x${data}`) }, sender.privateKey);
    await callRpc(url, 'eth_sendRawTransaction', [hexFromBytes(raw)]);
  }
  // The time limit of mining is for one attack; all of them together may take longer on a slow host.
  for (let mined = 1; mined <= EVM_ATTACKS.length; mined++) await waitUntilMined(url, [0, mined]);
}

async function watch(url: string, name: string, work: Promise<void>): Promise<Seen> {
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  const [answers, gaps]: [number[], number[]] = [[], []];
  let [head, since] = [await callRpc(url, 'eth_blockNumber', []), performance.now()];
  while (!isOver) {
    const asked = performance.now();
    const next = await callRpc(url, 'eth_blockNumber', []);
    await callRpc(url, 'eth_getBalance', [SENDERS[0]?.address, 'latest']);
    const now = performance.now();
    answers.push((now - asked) / 2);
    if (next === head) continue;
    gaps.push(now - since);
    [head, since] = [next, now];
  }
  await over;
  return { name, answers, gaps };
}

function resultOf(seen: readonly Seen[], mined: Seen): BenchResult {
  const all = [...seen, mined];
  return {
    name: 'evm-attack',
    comparisons: [
      ...seen.map(({ name, answers }) => slowest(`answers to others: ${name}`, answers, ANSWER_MS)),
      slowest('answers to others: all of them in blocks', mined.answers, ANSWER_MS),
      slowest(
        'time between two blocks',
        seen.flatMap(({ gaps }) => gaps),
        2 * PERIOD_MS,
      ),
    ],
    figures: [
      {
        what: 'answers to others, p50',
        value: `${percentile(
          all.flatMap((one) => one.answers),
          0.5,
        ).toFixed(1)} ms`,
      },
      {
        what: 'longest time between two blocks of attacks',
        value: `${Math.max(0, ...mined.gaps).toFixed(0)} ms`,
      },
    ],
  };
}

function slowest(what: string, times: readonly number[], limit: number): Comparison {
  const ours = Math.max(0, ...times);
  return {
    what,
    unit: 'ms',
    ours,
    peer: limit,
    peerName: 'the limit',
    ratio: ours / limit,
    target: { bound: 1, side: 'atMost' },
  };
}
