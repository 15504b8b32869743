import { expect, it } from '@jest/globals';
import { useFakeNode } from '../../fake-setup.js';

const fake = useFakeNode();

it('health_status answers as web3signer does, and the client hears nothing of it', async () => {
  expect(await fake.signer.call('health_status')).toMatchObject({ status: 200, id: 1, result: 'OK' });
  expect(fake.node.seen).toEqual([]);
});

it('health_status takes no parameters', async () => {
  expect(await fake.signer.call('health_status', ['x'])).toMatchObject({
    status: 400,
    error: { code: -32602, message: 'Invalid params' },
  });
});
