import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { downstreamPath } from './downstream-client.js';

describe('the path at the client', () => {
  it.each([
    ['/', '/', '/'],
    ['/', '/login', '/login'],
    ['/', '/login/', '/login'],
    ['/rpc/v1/', '/', '/rpc/v1'],
    ['rpc', '//a///b', '/rpc/a/b'],
    ['/rpc', '/graphql?query={a}&b=/c/', '/rpc/graphql?query={a}&b=/c/'],
    ['/rpc', '/../admin', '/rpc/admin'],
    ['/rpc', '/a/%2e%2e/%2E%2E/admin', '/rpc/admin'],
    ['/rpc', 'http://elsewhere/x?y', '/rpc/x?y'],
    ['/rpc', '//elsewhere/x', '/rpc/elsewhere/x'],
    ['/rpc', '*', '/rpc/*'],
    ['/rpc', '', '/rpc'],
  ])('under %s of %s is %s', (prefix, target, path) => {
    expect(downstreamPath(prefix, target)).toBe(path);
  });

  it('is under the prefix, whatever the caller asks for', () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', '/', '//', '\\', '@', ':', '#', '?'),
      fc.webFragments(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(downstreamPath('/rpc', pieces.join(''))).toMatch(/^\/rpc(?:[/?]|$)/);
      }),
    );
  });
});
