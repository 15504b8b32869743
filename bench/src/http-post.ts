import { request, type Agent } from 'node:http';

/**
 * Posts JSON over connections that stay open. A connection that the server closed while it was idle, just as the request left on
 * it, has not taken the request: it is sent again.
 * @returns the answer
 * @throws Error for a status other than 200 and 201
 */
export async function postJson(url: string, members: object, agent: Agent): Promise<unknown> {
  const body = JSON.stringify(members);
  for (;;) {
    const answer = await post(url, body, agent);
    if (answer !== CLOSED) return answer;
  }
}

const CLOSED = Symbol('closed while idle');

function post(url: string, body: string, agent: Agent): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((done, fail) => {
    const sent = request(url, { method: 'POST', headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', fail);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200 || response.statusCode === 201) done(JSON.parse(text));
        else fail(new Error(`${url} answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') done(CLOSED);
      else fail(error);
    });
    sent.end(body);
  });
}
