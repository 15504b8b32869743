import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createPublicClient, http, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAccounts, until } from '@tetrad/testkit';
import { createNodeHome, type NodeHome } from '../node-process.js';
import { PonderApplication } from './ponder-application.js';
import { SentToken } from './sent-token.js';

/** Ponder, and the Node.js that it needs (.ci/install-ponder). */
const INSTALLED = resolve(
  import.meta.dirname,
  '../../../..',
  process.env['TETRAD_PONDER_DIR'] ?? '.tetrad/ponder',
);
const isSkipped = !existsSync(join(INSTALLED, 'node'));
if (isSkipped) process.stderr.write('SKIPPED: an indexer of Ponder: Ponder is not installed\n');

const [OWNER] = developmentAccounts(1, 'owner') as [ReturnType<typeof developmentAccounts>[number]];
const HOLDER = `0x${'ab'.repeat(20)}`;
const NODE_OPTIONS = ['--http-api', 'eth,debug'];
const EVENT = {
  abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
  eventName: 'Transfer',
} as const;

(isSkipped ? describe.skip : describe)('an indexer of Ponder', () => {
  let home: NodeHome;
  let ponder: PonderApplication | undefined;
  beforeAll(async () => {
    home = await createNodeHome([OWNER]);
  });
  afterAll(async () => {
    await ponder?.kill();
    await home?.remove();
  });

  it('follows the chain through kills of the node and of itself, and has what the node has', async () => {
    let node = await home.start(NODE_OPTIONS);
    const token = await SentToken.deploy(home, OWNER);
    let last = '';
    let sent = 0;
    const transfer = async () => {
      last = await token.transfer(HOLDER, BigInt((sent += 1)));
      await token.mined(last);
    };
    for (let past = 0; past < 5; past++) await transfer();
    ponder = await PonderApplication.write({
      folder: join(home.folder, 'ponder'),
      installed: INSTALLED,
      url: home.url,
      token: token.address,
    });
    const isFollowed = async () => (await ponder?.rows())?.some(({ hash }) => hash === last) === true;
    ponder.start();
    await until(isFollowed);

    await transfer();
    await until(isFollowed);
    // What was acknowledged before the kill is mined after it.
    last = await token.transfer(HOLDER, BigInt((sent += 1)));
    await node.kill();
    node = await home.start(NODE_OPTIONS);
    await token.mined(last);
    await transfer();
    await until(isFollowed);

    await ponder.kill();
    await transfer();
    ponder.start();
    await transfer();
    await until(isFollowed);

    const client = createPublicClient({ transport: http(home.url) });
    const logs = await client.getContractEvents({
      ...EVENT,
      address: token.address,
      fromBlock: 0n,
      strict: true,
    });
    const ofHolder = logs.filter(({ args: { to } }) => to.toLowerCase() === HOLDER);
    expect(ofHolder).toHaveLength(sent);
    expect(await ponder.rows()).toEqual(
      logs.map(({ transactionHash, logIndex, blockNumber, args: { from, to, value } }) => ({
        id: `${transactionHash}-${logIndex}`,
        hash: transactionHash,
        block: String(blockNumber),
        from: from.toLowerCase(),
        to: to.toLowerCase(),
        value: String(value),
      })),
    );
    expect(await node.stop()).toBe(0);
  });
});
