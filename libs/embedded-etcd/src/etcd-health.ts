import { get } from 'node:http';

const ANSWER_TIMEOUT_MS = 5_000;

/** Whether the member answers and has a quorum; the rest of its answer is ignored. */
export function isHealthy(endpoint: string): Promise<boolean> {
  return new Promise((done) => {
    const request = get(`${endpoint}/health`, { agent: false, timeout: ANSWER_TIMEOUT_MS }, (response) => {
      response.destroy();
      done(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => done(false));
    request.once('close', () => done(false));
  });
}
