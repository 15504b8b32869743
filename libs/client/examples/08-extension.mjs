// Extends a contract to a third member.
import { deployStorage, members, storage } from './network.mjs';

const [first, , third] = members;
const address = await deployStorage();
await first.client.extendContract({
  account: first.account,
  address,
  recipientKey: third.ptmKey,
  recipient: third.account,
});
const extension = await new Promise((onActive) => {
  const unwatch = third.client.watchExtensions({
    onActive(active) {
      if (active.contractExtended !== address) return;
      unwatch();
      onActive(active);
    },
  });
});
const managementContract = extension.managementContractAddress;
await third.client.approveExtension({
  account: third.account,
  managementContract,
  privateFor: [first.ptmKey],
});
while ((await codeAtThird()) === undefined) await new Promise((done) => setTimeout(done, 200));
console.log(await third.client.readContract({ ...storage, address, functionName: 'value' }));

/** Undefined also while the node has not executed the private transactions of the latest block. */
async function codeAtThird() {
  try {
    return await third.client.getCode({ address });
  } catch (error) {
    if (error.code !== -32002) throw error;
    return undefined;
  }
}
