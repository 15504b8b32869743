import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { encodeHeader } from '@tetrad/node-block';
import type { StatePort } from '@tetrad/node-peer';
import type { Address, Block } from '@tetrad/types';
import { HastyClock } from '../../consensus-bft-chain/test/hasty-clock.js';
import type { TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { nextBlock, sealHeader } from '../../consensus-bft-chain/test/seal-block.js';
import { blocksOf } from '../../consensus-bft-chain/test/test-ledgers.js';
import type { FakeNode } from '../../peer/test/fake-node.js';
import { assertJoined } from './assert-joined.js';
import { useEmptyNetwork, useSharedChain, type GrownChain } from './grown-chain.js';
import {
  A,
  B,
  C,
  D,
  addressesOf,
  append,
  largeGenesis,
  startJoining,
  startPeer,
  statePortOf,
} from './joining-chain.js';
import { assertCutOff, whyLeft } from './why-left.js';

/** A node that has the attacker and an honest peer joins by the honest one, and cuts the attacker off for the reason. */
async function assertJoinedWithout(
  attacker: FakeNode,
  reason: string,
  { ledgers, network, genesis, chain }: GrownChain & { readonly chain: TestLedger },
): Promise<void> {
  const honest = await startPeer(network, chain);
  const joining = await startJoining({ ledgers, network }, [attacker, honest], { genesis });
  expect(await joining.run()).toBe(5);
  await assertJoined({ ledgers, chain }, joining.url, 5);
  await assertCutOff(joining, { attacker, honest, reason });
}

describe('a peer that lies about headers', () => {
  let chain: TestLedger;
  const { ledgers, network, genesis } = useSharedChain((grown) => (chain = grown));

  const forge = (block: Block): Uint8Array => encodeHeader({ ...block.header, gasUsed: 7n });

  /** The same header with a vote for a stranger, proposed and sealed by strangers. */
  const forgeVote = ({ header }: Block): Uint8Array => {
    const strangers = [6, 7, 8].map((scalar) => Buffer.alloc(32, scalar)) as [Buffer, Buffer, Buffer];
    const beneficiary = addressFromPrivateKey(strangers[0]);
    return encodeHeader(
      sealHeader({
        format: 'qbft',
        header: { ...header, beneficiary },
        validators: addressesOf([A, B, C, D]),
        proposerKey: strangers[0],
        keys: strangers,
        vote: { recipient: beneficiary, isAdd: true },
      }),
    );
  };

  it.each<[string, string, (block: Block) => Uint8Array]>([
    ['changes one', 'invalid committed seals', forge],
    ['gives a forged change of validators', 'unauthorized', forgeVote],
  ])('and %s is cut off: %s', async (_, reason, spoil) => {
    const headers: StatePort['headers'] = async ({ from }) => [
      spoil((await blocksOf(chain))[from - 1] as Block),
    ];
    const attacker = await startPeer(network, chain, { headers });
    await assertJoinedWithout(attacker, reason, { ledgers, network, genesis, chain });
  });

  it.each<[string, string, StatePort['headers']]>([
    ['none of its headers', 'the peer has no header', async () => []],
    ['no answer about them', 'the peer is late', () => new Promise(() => undefined)],
  ])(
    'and announces a newer block with each question, and gives %s, is left: %s',
    async (_, reason, answer) => {
      const clock = new HastyClock();
      const attacker = await startPeer(network, chain, {
        headers: (question) => {
          announced += 1_000;
          announce();
          return answer(question);
        },
      });
      let announced = 1_000_000;
      const newest = () => {
        const head = chain.ledger.head();
        return { ...head, header: { ...head.header, number: announced }, transactions: [] };
      };
      const announce = () => attacker.network.announceBlock(newest(), () => new Uint8Array(0));
      attacker.chain.head = newest;
      const peers = [attacker, await startPeer(network, chain)];
      const limits = { answerTimeoutMs: 1_000, leastBytesPerSecond: 32 * 1024 * 1024 };
      const joining = await startJoining({ ledgers, network }, peers, { genesis, clock, limits });
      const { debug } = joining.log;
      joining.log.debug = (message, values) => {
        debug(message, values);
        // The rest of a peer that gave nothing is over at once.
        if (message.startsWith('a peer gave no part')) setImmediate(() => clock.putForward(60_000));
      };
      expect(await joining.run()).toBe(5);
      expect(whyLeft(joining.log.lines, attacker)).toContain(reason);
      await assertJoined({ ledgers, chain }, joining.url, 5);
    },
  );
});

describe('a peer that has other validators', () => {
  const { ledgers, network, genesis } = useEmptyNetwork();

  it('by a fork that removed validators sealed is cut off: invalid committed seals', async () => {
    const fork = await ledgers.open(await ledgers.freshUrl(), { genesis });
    const chain = await ledgers.open(ledgers.url, { genesis });
    const vote = { vote: { recipient: addressFromPrivateKey(D), isAdd: false } };
    for (const key of [A, B, C]) await append(chain, [], { proposerKey: key, ...vote });
    for (const block of await blocksOf(chain)) await fork.ledger.importBlock(block);
    for (let blocks = 0; blocks < 3; blocks++) await append(chain);
    const forged = await nextBlock(fork, { proposerKey: A, keys: [A, B, D] });
    const headers: StatePort['headers'] = async (question) => [
      ...(await statePortOf(fork).headers(question)),
      encodeHeader(forged.header),
    ];
    const attacker = await startPeer(network, chain, { headers });
    await assertJoinedWithout(attacker, 'invalid committed seals', { ledgers, network, genesis, chain });
  });

  it('in a false witness of what a contract names is cut off: validators not shown', async () => {
    const ofContract = genesisOfContract(`0x${'ce'.repeat(20)}` as Address);
    const chain = await ledgers.open(ledgers.url, { genesis: ofContract });
    for (let blocks = 0; blocks < 6; blocks++) await append(chain);
    const validators: StatePort['validators'] = async () => ({ nodes: [], codes: [] });
    const attacker = await startPeer(network, chain, { validators });
    await assertJoinedWithout(attacker, 'validators not shown', {
      ledgers,
      network,
      genesis: ofContract,
      chain,
    });
  });
});

/** The contract answers every call with its first six slots: the list of A, B, C and D. */
function genesisOfContract(contract: Address) {
  const consensus = { validatorselectionmode: 'contract', validatorcontractaddress: contract };
  const word = (hex: string) => Buffer.from(hex.padStart(64, '0'), 'hex');
  const byte = (value: number) => value.toString(16).padStart(2, '0');
  const words = ['20', '4', ...addressesOf([A, B, C, D]).map((address) => address.slice(2))];
  const reads = words.map((_, slot) => `60${byte(slot)}5460${byte(slot * 32)}52`).join('');
  const code = Buffer.from(`${reads}60${byte(words.length * 32)}6000f3`, 'hex');
  const storage = words.map((value, slot) => ({ slot: word(byte(slot)), value: word(value) }));
  const large = largeGenesis({ consensus });
  return { ...large, alloc: [...large.alloc, { address: contract, balance: 0n, nonce: 1n, code, storage }] };
}
