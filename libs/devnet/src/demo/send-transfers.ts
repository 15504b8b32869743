import { developmentAccounts, loadToken } from '@tetrad/testkit';
import { Contract } from 'ethers';
import { assert, type DemoContext } from './demo-context.js';
import { Progress } from './progress.js';

const TRANSFERS = 200;
const AT_A_TIME = 20;
const MINE_TIMEOUT_MS = 300_000;

/** Sends transfers from one account concurrently; the signer gives them consecutive nonces. */
export async function sendTransfers(context: DemoContext): Promise<string> {
  const signer = await context.signer();
  const { abi } = await loadToken();
  const token = new Contract(context.token, [...abi], signer);
  const recipients = developmentAccounts(10, 'recipient');
  const progress = new Progress('transfers acknowledged', TRANSFERS);
  let next = 0;
  const work = async () => {
    while (next < TRANSFERS) {
      const index = next++;
      const { address } = recipients[index % recipients.length] as (typeof recipients)[number];
      const value = BigInt(index + 1);
      const transfer = token.getFunction('transfer');
      const hash: string = await signer.sendUncheckedTransaction(
        await transfer.populateTransaction(address, value, { gasPrice: 0, gasLimit: 100_000 }),
      );
      context.transfers.push(hash);
      context.expected.set(address, (context.expected.get(address) ?? 0n) + value);
      progress.advance();
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  const receipts = await Promise.all(
    context.transfers.map((hash) => signer.provider.waitForTransaction(hash, 1, MINE_TIMEOUT_MS)),
  );
  assert(
    receipts.every((receipt) => receipt?.status === 1),
    'a transfer was not mined or failed',
  );
  const blocks = new Set(receipts.map((receipt) => receipt?.blockNumber));
  signer.provider.destroy();
  return `${TRANSFERS} token transfers sent ${AT_A_TIME} at a time through the signer are all mined, in ${blocks.size} blocks`;
}
