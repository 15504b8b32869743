// Runs against the network of endpoints.json.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { connectMembers } from '../src/network.mjs';
import { PrivateToken } from '../src/token.mjs';

describe('a private token', () => {
  let issuer;
  let holder;
  let outsider;
  let token;
  before(async () => {
    [issuer, holder, outsider] = await connectMembers();
    const parties = [issuer, holder];
    token = await PrivateToken.deploy({ name: 'Private dollar', symbol: 'PUSD', supply: 1000n, parties });
  });

  it('moves between its parties, in either direction', async () => {
    await token.transfer({ from: issuer, to: holder, value: 25n });
    await token.transfer({ from: holder, to: issuer, value: 5n });
    for (const seenBy of [issuer, holder]) {
      assert.equal(await token.balanceOf(issuer, { seenBy }), 980n);
      assert.equal(await token.balanceOf(holder, { seenBy }), 20n);
    }
  });

  it('is not there for another member', async () => {
    assert.equal(await token.isKnownTo(issuer), true);
    assert.equal(await token.isKnownTo(outsider), false);
  });

  it('is not sent by an account that has less', async () => {
    const sent = token.transfer({ from: holder, to: issuer, value: 1001n });
    await assert.rejects(sent, /ERC20InsufficientBalance/);
  });
});
