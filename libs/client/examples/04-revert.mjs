// Reads why a transaction reverted.
import { deployStorage, members, storage } from './network.mjs';

const [first, second] = members;
const address = await deployStorage();
const hash = await first.client.writePrivateContract({
  ...storage,
  address,
  functionName: 'set',
  args: [2000n],
  gas: 100_000n,
  account: first.account,
  privateFor: [second.ptmKey],
});
const { status, revertError } = await first.client.waitForPrivateReceipt({ hash, abi: storage.abi });
console.log(status, revertError.data.errorName, revertError.data.args[0]);
