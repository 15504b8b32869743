// Finds the events of a private contract, with viem's own actions.
import { deployStorage, members, storage } from './network.mjs';

const [first, second] = members;
const address = await deployStorage();
for (const value of [1n, 2n]) {
  const hash = await first.client.writePrivateContract({
    ...storage,
    address,
    functionName: 'set',
    args: [value],
    account: first.account,
    privateFor: [second.ptmKey],
  });
  await second.client.waitForPrivateReceipt({ hash });
}
const events = await second.client.getContractEvents({
  ...storage,
  address,
  eventName: 'Set',
  fromBlock: 0n,
});
console.log(events.map(({ args }) => args.value));
