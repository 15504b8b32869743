// Reads the payload of a transaction as a party, and as a member that is not a party.
import { members, storage } from './network.mjs';

const [first, second, third] = members;
const hash = await first.client.deployPrivateContract({
  ...storage,
  args: [7n],
  account: first.account,
  privateFor: [second.ptmKey],
});
await third.client.waitForPrivateReceipt({ hash });
const { input } = await third.client.getTransaction({ hash });
for (const { client } of [second, third]) {
  const payload = await client.getPrivatePayload({ hash: input });
  console.log(payload === undefined ? 'not a party' : `${payload.length / 2 - 1} bytes`);
}
