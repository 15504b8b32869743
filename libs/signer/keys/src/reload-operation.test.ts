import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { NO_RELOAD, failReload, finishReload, requestReload } from './reload-operation.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const added = [parseAddress(`0x${'11'.repeat(20)}`)];

describe('the status of reloads', () => {
  it('is idle, then running, then completed, in the bodies of web3signer', () => {
    expect(NO_RELOAD).toEqual({ status: 'idle', lastOperationTime: null, lastError: null });
    const { status, answer } = requestReload(NO_RELOAD);
    expect(status.status).toBe('running');
    expect(answer).toEqual({
      outcome: 'accepted',
      body: {
        status: 'accepted',
        message:
          'Reload operation accepted and is running in the background. Use GET /reload to check status.',
      },
    });
    expect(finishReload({ added, removed: [], failed: [] }, NOW)).toEqual({
      status: 'completed',
      lastOperationTime: '2026-01-02T03:04:05.000Z',
      lastError: null,
    });
  });

  it('refuses a second reload while one runs, and only then', () => {
    const { status } = requestReload(NO_RELOAD);
    const second = requestReload(status);
    expect(second.status).toBe(status);
    expect(second.answer).toEqual({
      outcome: 'in progress',
      body: {
        status: 'error',
        message: 'A reload operation is already in progress. Please try again later.',
      },
    });
    for (const ended of [finishReload({ added, removed: [], failed: [] }, NOW), failReload('gone', NOW)]) {
      expect(requestReload(ended).answer.outcome).toBe('accepted');
    }
  });

  it('names the first key that failed and counts the others', () => {
    const failed = [1, 2, 3].map((index) => ({ name: `file-${index}`, reason: 'is broken' }));
    const { status, lastError } = finishReload({ added: [], removed: [], failed }, NOW);
    expect(status).toBe('completed_with_errors');
    expect(lastError).toBe('file-1: is broken (and 2 more)');
    expect(finishReload({ added: [], removed: [], failed: failed.slice(2) }, NOW).lastError).toBe(
      'file-3: is broken',
    );
  });

  it('says why a reload failed', () => {
    expect(failReload('/keys: cannot be read (EACCES)', NOW)).toEqual({
      status: 'failed',
      lastOperationTime: '2026-01-02T03:04:05.000Z',
      lastError: '/keys: cannot be read (EACCES)',
    });
  });
});
