// Sends with a key that only the application has.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { deployStorage, members, storage } from './network.mjs';

const [first, second] = members;
const address = await deployStorage();
const account = privateKeyToAccount(generatePrivateKey());
const hash = await first.client.writePrivateContract({
  ...storage,
  address,
  functionName: 'set',
  args: [44n],
  account,
  privateFor: [second.ptmKey],
});
const { from } = await first.client.waitForPrivateReceipt({ hash });
console.log(from === account.address.toLowerCase());
