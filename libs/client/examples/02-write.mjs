// Changes a private contract from the second member, and asks whether both came to the same.
import { deployStorage, members, storage } from './network.mjs';

const [first, second] = members;
const address = await deployStorage();
const hash = await second.client.writePrivateContract({
  ...storage,
  address,
  functionName: 'set',
  args: [43n],
  account: second.account,
  privateFor: [first.ptmKey],
});
const receipt = await second.client.waitForPrivateReceipt({ hash, parties: [first.client] });
console.log(receipt.status, receipt.isAgreed);
