import { beforeAll, describe, expect, it } from '@jest/globals';
import { hexFromBytes, type Address, type Block } from '@tetrad/types';
import type { PrivateResult } from '../src/index.js';
import { FollowedChain } from './followed-chain.js';
import {
  recordedBlocks,
  recordedManager,
  recording,
  type RecordedReceipt,
  type Recording,
  type Step,
} from './recorded-chain.js';

/** Of a receipt what private execution decides. */
const decided = ({ status, logs, logsBloom, contractAddress }: RecordedReceipt) => ({
  status,
  logsBloom,
  contractAddress,
  logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
});

const ours = ({ receipt }: PrivateResult): RecordedReceipt => ({
  status: `0x${receipt.status}`,
  logsBloom: hexFromBytes(receipt.logsBloom),
  contractAddress: receipt.contractAddress ?? null,
  logs: receipt.logs.map(({ address, topics, data }) => ({
    address,
    topics: [...topics],
    data: hexFromBytes(data),
  })),
});

describe.each(['private', 'marker', 'works'])('the recorded chain “%s”', (name) => {
  let blocks: Block[];
  let recorded: Recording;
  beforeAll(async () => {
    recorded = recording(name);
    blocks = await recordedBlocks(name);
  });

  describe.each([0, 1, 2])('as node %i follows it', (node) => {
    const results = new Map<string, PrivateResult>();
    let chain: FollowedChain;

    it('has the public and the private state root of every block', async () => {
      chain = new FollowedChain(name, recordedManager(recorded.steps, node));
      for (const { number, stateRoot, privateRoots } of recorded.blocks) {
        const block = blocks[number] as Block;
        const outcome = number === 0 ? undefined : await chain.follow(block);
        expect(outcome?.kind).not.toBe('paused');
        if (outcome?.kind === 'executed')
          for (const result of outcome.results) results.set(result.hash, result);
        expect([number, chain.roots]).toEqual([
          number,
          { publicRoot: stateRoot, privateRoot: privateRoots[node] },
        ]);
      }
    });

    it('has the private receipts, and none where the node is not a party', () => {
      const mined = recorded.steps.filter(({ hash }) => hash !== undefined);
      const isPrivate = ({ manager }: Step) => manager !== undefined;
      expect(mined.filter(isPrivate).length).toBeGreaterThan(10);
      for (const step of mined.filter(isPrivate)) {
        const own = results.get(step.hash ?? '');
        const theirs = step.private?.[node]?.receipt.result ?? step.receipts?.[node];
        if (own !== undefined)
          expect([step.name, ours(own)]).toEqual([step.name, decided(theirs as RecordedReceipt)]);
        expect([step.name, own !== undefined]).toEqual([step.name, isParty(step, node)]);
      }
    });

    it('has the privacy metadata of contracts', () => {
      for (const { address, metadata, name: step } of recorded.steps) {
        const theirs = metadata?.[node]?.result;
        if (address === undefined || metadata === undefined) continue;
        // GoQuorum reports no metadata for a contract that has destroyed itself.
        const own = chain.hasPrivate(address as Address) ? chain.metadata.get(address as Address) : undefined;
        const shown = own && {
          creationTxHash: Buffer.from(own.creation.slice(2), 'hex').toString('base64'),
          privacyFlag: own.privacyFlag,
        };
        expect([step, shown]).toEqual([step, theirs]);
      }
    });
  });
});

/** Whether the node's manager had what was executed. */
function isParty({ manager, innerManager }: Step, node: number): boolean {
  return (
    manager?.[node]?.status === 200 && (innerManager === undefined || innerManager[node]?.status === 200)
  );
}
