import { expect, it } from '@jest/globals';
import { encodeOperation } from '@tetrad/node-permission-contracts';
import { ZERO_HASH, hexFromBytes, silentLogger, type Address } from '@tetrad/types';
import fc from 'fast-check';
import { accountOf, nodeOf } from '../../permission-contracts/test/permission-chain.js';
import { NetworkBoot } from '../src/boot/network-boot.js';
import { ADMINS, ContractChain, contentOf } from './contract-chain.js';

const NODES = [1, 2, 3].map(nodeOf);
/** Looks at heads, blocks, and restarts: enough for every node to have sent all its operations. */
const MAX_TURNS = 200;

/** A node that sets the network up as every other does; its pool keeps what it sent, in order. */
class RacingNode {
  readonly pool: Uint8Array[] = [];
  private boot: NetworkBoot;

  constructor(
    private readonly chain: ContractChain,
    readonly index: number,
  ) {
    this.boot = this.start();
  }

  get address(): Address {
    return accountOf(100 + this.index);
  }

  get isDone(): boolean {
    return this.boot.isDone && this.boot.trouble() === undefined;
  }

  look(): Promise<void> {
    return this.boot.look();
  }

  /** Only its pool is on the disk. */
  restart(): void {
    this.boot = this.start();
  }

  private start(): NetworkBoot {
    const { config, followed } = this.chain;
    // Each knows the others, and lists itself last.
    const nodes = [...NODES.slice(this.index + 1), ...NODES.slice(0, this.index + 1)];
    return new NetworkBoot({
      plan: { config, nodes, isRaft: false },
      records: followed,
      logger: silentLogger,
      areContractsThere: () => Promise.resolve(true),
      hasCaughtUp: () => true,
      sender: {
        isWaiting: () => Promise.resolve(this.pool.length > 0),
        send: (data) => {
          this.pool.push(data);
          return Promise.resolve(ZERO_HASH);
        },
      },
    });
  }
}

const turn = fc.record({
  node: fc.nat({ max: NODES.length - 1 }),
  act: fc.oneof(
    { weight: 2, arbitrary: fc.constant('look' as const) },
    { weight: 6, arbitrary: fc.constant('mine' as const) },
    fc.constant('restart' as const),
  ),
});

it.each(['v1', 'v2'] as const)(
  'nodes that start together set the network up once, whatever the order of their operations (%s)',
  async (model) => {
    const deployed = await ContractChain.deploy(model);
    const end = encodeOperation(model, { name: 'updateNetworkBootStatus' });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: MAX_TURNS, maxLength: MAX_TURNS }), async (turns) => {
        const chain = await deployed.copy();
        const nodes = NODES.map((_, index) => new RacingNode(chain, index));
        let boots = 0;
        const mine = async (node: RacingNode) => {
          const data = node.pool.shift();
          if (data === undefined) return;
          if ((await chain.send(node.address, data)) && hexFromBytes(data) === end) boots += 1;
        };
        for (const { node, act } of turns) {
          const actor = nodes[node] as RacingNode;
          if (act === 'look') await actor.look();
          else if (act === 'mine') await mine(actor);
          else actor.restart();
          if (chain.followed.networkBoot && nodes.every(({ pool }) => pool.length === 0)) break;
        }
        for (const node of nodes) await node.look();
        expect({ boots, done: nodes.map((node) => node.isDone) }).toEqual({
          boots: 1,
          done: [true, true, true],
        });
        expect(contentOf(chain.followed)).toEqual(contentOf(await chain.read()));
        const { followed } = chain;
        expect(followed.nodes().map(({ status }) => status)).toEqual([2, 2, 2]);
        expect(followed.accounts().map(({ acctId, status }) => [acctId, status])).toEqual(
          expect.arrayContaining(ADMINS.map((admin) => [admin, 2])),
        );
        expect([followed.orgs().length, followed.roles().length]).toEqual([1, 1]);
      }),
      { numRuns: 8 },
    );
  },
);
